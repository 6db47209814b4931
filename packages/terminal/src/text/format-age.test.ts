import { expect, test } from "vitest";
import { formatAge } from "./format-age.ts";

test.each([
  [-5_000, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [86_399_999, "23h"],
  [6 * 86_400_000, "6d"],
  [30 * 86_400_000, "4w"],
  [800 * 86_400_000, "2y"],
])("an age of %d ms is written as %s", (ageMs, text) => {
  expect(formatAge(ageMs)).toBe(text);
});
