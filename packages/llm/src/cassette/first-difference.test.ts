import { expect, test } from "vitest";
import { firstDifference } from "./first-difference.ts";

test("what is shown of long texts contains the difference, also after characters that are escaped", () => {
  const lines = "a line\n".repeat(100);
  const found = firstDifference({ text: `${lines}recorded${lines}` }, { text: `${lines}actual${lines}` });
  expect(found).toEqual({
    path: "text",
    expected: expect.stringContaining("recorded"),
    actual: expect.stringContaining("actual"),
  });
});
