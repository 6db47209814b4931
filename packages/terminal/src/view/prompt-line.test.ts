import { expect, test } from "vitest";
import { createPromptLine } from "./prompt-line.ts";

const shownAfter = (...keys: readonly string[]): string => {
  const line = createPromptLine();
  for (const key of keys) line.take(key);
  return line.render(40);
};

test.each([
  [["ab", "\u007f", "c"], "› ac"],
  [["use tabs", "\u0017", "spaces"], "› use spaces"],
  [["wrong", "\u0015", "right"], "› right"],
  [["a", "\u001b[D", "\u001b[3~", "\u001bOP", "b"], "› ab"],
  [["👨‍👩‍👧", "\u007f", "x"], "› x"],
  [["one\rtwo"], "› one⏎two"],
  [["\u0000\u0001a\u0007"], "› a"],
  [["a\u202eb"], "› a\ufffdb"],
])("%j shows %j", (keys, shown) => {
  expect(shownAfter(...keys)).toBe(shown);
});

test("Enter sends the typed text, and nothing if the line is empty", () => {
  const line = createPromptLine();
  expect(line.take("  use spaces ")).toEqual([]);
  expect(line.take("\r")).toEqual(["use spaces"]);
  expect(line.take("\r")).toEqual([]);
  expect(line.take("a\r\nb\r")).toEqual(["a\nb"]);
  expect(line.render(60)).toContain("type a message to the agent");
});

test("the end of a long line is shown", () => {
  const line = createPromptLine();
  line.take("x".repeat(100));
  line.take("end");
  const shown = line.render(20);
  expect(shown).toHaveLength(20 - 1);
  expect(shown).toMatch(/^› …x+end$/);
});
