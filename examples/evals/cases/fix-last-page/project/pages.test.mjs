import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOf } from "./pages.mjs";

test("full pages", () => assert.deepEqual(pagesOf([1, 2, 3, 4], 2), [[1, 2], [3, 4]]));
test("the last page may be shorter", () => assert.deepEqual(pagesOf([1, 2, 3], 2), [[1, 2], [3]]));
