import { expect, test } from "vitest";
import { errorLineOf } from "./error-line.ts";

test.each([
  [
    "node:internal/modules/cjs/loader:1210\n  throw err;\n\nError: Cannot find module '/a.mjs'\n\nNode.js v20",
    "Error: Cannot find module '/a.mjs'",
  ],
  ["Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'x'\n", "KeyError: 'x'"],
  ["first\nlast\n\n", "last"],
  ["", undefined],
  [undefined, undefined],
  [`error: ${"x".repeat(200)}`, `error: ${"x".repeat(152)}…`],
])("%j explains a failure by its error line", (stderr, line) => {
  expect(errorLineOf(stderr)).toBe(line);
});
