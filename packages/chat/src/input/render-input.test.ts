import { displayWidth } from "@switchyard/terminal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderInput } from "./render-input.ts";

const MARK = "› ";

test("a text that fits is one line with the cursor in it", () => {
  const { lines, cursor } = renderInput({ text: "abc", cursor: 1 }, { columns: 20, mark: MARK });
  expect({ lines, cursor }).toEqual({ lines: ["› abc"], cursor: { row: 0, before: "› a" } });
});

test("a text is wrapped at the width, wide characters count double, and the cursor moves to the next line", () => {
  const { lines, cursor } = renderInput({ text: "日本語日本語", cursor: 6 }, { columns: 8, mark: MARK });
  expect(lines).toEqual(["› 日本語", "  日本語", "  "]);
  expect(cursor).toEqual({ row: 2, before: "  " });
});

test("of many lines, those around the cursor are shown, and the first is marked as a continuation", () => {
  const text = Array.from({ length: 20 }, (_, index) => `${index}`).join("\n");
  const { lines, cursor } = renderInput({ text, cursor: text.length }, { columns: 20, mark: MARK });
  expect(lines).toEqual(["… 12", "  13", "  14", "  15", "  16", "  17", "  18", "  19"]);
  expect(cursor).toEqual({ row: 7, before: "  19" });
});

test("no line is wider than the terminal, and the cursor is always in a line", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", " ", "\n", "日", "🎉", "e\u0301"), maxLength: 80 });
  fc.assert(
    fc.property(texts, fc.nat(), fc.integer({ min: 10, max: 60 }), (text, at, columns) => {
      const { lines, cursor } = renderInput({ text, cursor: at % (text.length + 1) }, { columns, mark: MARK });
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines[cursor.row]).toBeDefined();
      // A cursor inside a grapheme cannot be shown exactly.
      if (cursor.before !== "") expect(lines[cursor.row]?.startsWith(cursor.before)).toBe(true);
    }),
  );
});
