import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "./slug.mjs";

test("words are joined by dashes", () => assert.equal(slugOf("Hello World"), "hello-world"));
