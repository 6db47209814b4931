import fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth } from "../text/display-width.ts";
import { plainLine, quote } from "./quote.ts";

const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      "\u001b[2J",
      "\u009b1A",
      "\r",
      "\r\n",
      "\n",
      "\t",
      "\u0007",
      "\u202e",
      "\u2028",
      "\u200b",
      "\ud800",
      "\u0000",
    ),
    fc.string({ unit: "binary" }),
    fc.constantFrom("? The agent wants to use shell", "x".repeat(300), "好".repeat(60)),
  ),
);

test("each line of a quoted text is behind a bar, fits the terminal, and contains no control sequence", () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 30, max: 120 }), fc.boolean(), (pieces, columns, whole) => {
      for (const line of quote(pieces.join(""), { columns, whole }).lines) {
        expect(line.startsWith("  │ ")).toBe(true);
        expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(displayWidth(line)).toBeLessThan(columns);
      }
      expect(plainLine(pieces.join(""))).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test("the beginning and the end of a long text are shown, with the length of the omitted part", () => {
  const text = Array.from({ length: 1_000 }, (_, line) => `line ${line}`).join("\n");
  const { lines, isFolded } = quote(text, { columns: 80, whole: false });
  expect({ first: lines[0], between: lines[30], last: lines.at(-1), isFolded }).toEqual({
    first: "  │ line 0",
    between: "  │ … 940 more lines",
    last: "  │ line 999",
    isFolded: true,
  });
  expect(quote(text, { columns: 80, whole: true })).toMatchObject({ isFolded: false, lines: { length: 1_000 } });
});
