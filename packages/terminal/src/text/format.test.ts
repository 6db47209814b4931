import { expect, test } from "vitest";
import { foldLines } from "./fold-lines.ts";
import { formatDuration } from "./format-duration.ts";
import { plural } from "./plural.ts";

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1240, "1.2 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 0 s"],
  [185_000, "3 min 5 s"],
])("%d ms read %s", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test("one is one", () => {
  expect([plural(1, "line"), plural(0, "line"), plural(1234, "line")]).toEqual(["1 line", "0 lines", "1,234 lines"]);
});

test("a long text is folded in the middle, with the number of hidden characters", () => {
  const text = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n");
  expect(foldLines(`${text}\n`, { head: 2, tail: 1 })).toEqual(["line 1", "line 2", "… 7 more lines", "line 10"]);
});

test("a single hidden line is shown instead", () => {
  expect(foldLines("a\nb\nc\nd", { head: 2, tail: 1 })).toEqual(["a", "b", "c", "d"]);
});
