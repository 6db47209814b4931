import assert from "node:assert/strict";
import { pagesOf } from "./pages.mjs";

assert.deepEqual(pagesOf([1, 2, 3], 2), [[1, 2], [3]]);
assert.deepEqual(pagesOf([1, 2, 3, 4], 2), [[1, 2], [3, 4]]);
assert.deepEqual(pagesOf([1], 5), [[1]]);
assert.deepEqual(pagesOf([], 3), []);
