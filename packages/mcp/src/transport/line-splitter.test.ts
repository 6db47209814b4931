import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineSplitter } from "./line-splitter.ts";

function split(chunks: readonly Uint8Array[], maxBytes: number) {
  let tooLong = 0;
  const splitter = createLineSplitter(maxBytes, () => tooLong++);
  return { lines: chunks.flatMap((chunk) => [...splitter.push(chunk)]), tooLong };
}

test("lines are complete at any split of their bytes; lines that are too long are dropped", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "😀", " "), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(30)), (lines, cuts) => {
      const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(""));
      const chunks: Uint8Array[] = [];
      let from = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(from, from + cut));
        from += cut;
      }
      chunks.push(bytes.subarray(from));
      const size = (text: string): number => new TextEncoder().encode(text).length;
      const short = lines.filter((text) => size(text) <= 20);
      expect(split(chunks, 20)).toEqual({ lines: short, tooLong: lines.length - short.length });
    }),
  );
});

test("an endless line is reported once and not stored", () => {
  const chunk = new Uint8Array(1_000).fill(0x61);
  const endless = Array.from({ length: 100 }, () => chunk);
  expect(split([...endless, new TextEncoder().encode("\nback\n")], 5_000)).toEqual({ lines: ["back"], tooLong: 1 });
});
