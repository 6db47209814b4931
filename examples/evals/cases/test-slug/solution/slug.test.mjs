import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "./slug.mjs";

test("words are joined by dashes", () => assert.equal(slugOf("Hello World"), "hello-world"));
test("accents are removed", () => assert.equal(slugOf("Crème Brûlée"), "creme-brulee"));
test("no dash is left at the ends", () => assert.equal(slugOf("(Hello!)"), "hello"));
