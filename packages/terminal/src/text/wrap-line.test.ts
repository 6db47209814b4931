import fc from "fast-check";
import { expect, test } from "vitest";
import { cutToWidth, displayWidth } from "./display-width.ts";
import { wrapLine } from "./wrap-line.ts";

test("a line is broken at spaces", () => {
  expect(wrapLine("one two three four", 10)).toEqual(["one two", "three four"]);
});

test("a word that does not fit is broken where it must be", () => {
  expect(wrapLine("abcdefghijklmnop", 10)).toEqual(["abcdefghij", "klmnop"]);
});

test("wide characters count twice and no line is wider than asked for", () => {
  const lines = wrapLine("漢字漢字漢字漢字", 10);
  expect(lines).toEqual(["漢字漢字漢", "字漢字"]);
  expect(lines.every((line) => displayWidth(line) <= 10)).toBe(true);
});

test("a line that fits stays as it is, the empty one too", () => {
  expect(wrapLine("short", 10)).toEqual(["short"]);
  expect(wrapLine("", 10)).toEqual([""]);
});

test("a cut is visible", () => {
  expect(cutToWidth("abcdef", 4)).toBe("abc…");
  expect(cutToWidth("漢字漢字", 4)).toBe("漢…");
  expect(cutToWidth("abcd", 4)).toBe("abcd");
});

test("a line of a million characters is broken and cut in no time", () => {
  const line = "x".repeat(1_000_000);
  const started = performance.now();
  expect(wrapLine(line, 80)).toHaveLength(12_500);
  expect(cutToWidth(line, 80)).toBe(`${"x".repeat(79)}…`);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("no text is lost and no line is wider than requested, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 120 }), fc.integer({ min: 10, max: 60 }), (line, columns) => {
      const wrapped = wrapLine(line, columns);
      expect(wrapped.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
      for (const part of wrapped) expect(displayWidth(part)).toBeLessThanOrEqual(columns);
    }),
  );
});
