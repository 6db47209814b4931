import fc from "fast-check";
import { expect, test } from "vitest";
import { createByteWindow } from "./byte-window.ts";

function feed(text: string, cuts: readonly number[], maxChars: number) {
  const bytes = Buffer.from(text);
  const window = createByteWindow(maxChars);
  const offsets = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  for (const [index, offset] of offsets.entries()) window.write(bytes.subarray(offset, offsets[index + 1]));
  return window.toText();
}

const anyText = fc.string({ unit: "grapheme", maxLength: 300 });

test("text within the limit is returned complete, for any split into chunks", () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat()), (text, cuts) => {
      expect(feed(text, cuts, text.length)).toEqual({ text, droppedBytes: 0 });
    }),
  );
});

test("longer text is cut in the middle between whole characters, and the dropped bytes are counted", () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat()), fc.nat(120), (text, cuts, maxChars) => {
      const result = feed(text, cuts, maxChars);
      expect(result.text.length).toBeLessThanOrEqual(maxChars);
      expect(/\p{Surrogate}/u.test(result.text)).toBe(false);
      const remaining = result.text.replace(/\n\[\.\.\. \d+ bytes dropped \.\.\.\]\n/, "");
      const cut = [...Array(remaining.length + 1).keys()].find(
        (offset) => text.startsWith(remaining.slice(0, offset)) && text.endsWith(remaining.slice(offset)),
      );
      expect(cut).toBeDefined();
      expect(result.droppedBytes).toBe(Buffer.byteLength(text) - Buffer.byteLength(remaining));
    }),
  );
});

test("head and tail of a long stream are stored, and dropped bytes are counted", () => {
  const window = createByteWindow(200);
  window.write(Buffer.from("HEAD"));
  for (let index = 0; index < 10_000; index += 1) window.write(Buffer.from("0123456789"));
  window.write(Buffer.from("TAIL"));
  const { text, droppedBytes } = window.toText();
  expect(text).toMatch(/^HEAD0123[\s\S]*\[\.\.\. 99840 bytes dropped \.\.\.\][\s\S]*789TAIL$/);
  expect(droppedBytes).toBe(100_008 - (text.length - "\n[... 99840 bytes dropped ...]\n".length));
});

test("invalid UTF-8 becomes U+FFFD, and a byte order mark is preserved", () => {
  const window = createByteWindow(100);
  window.write(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62]));
  expect(window.toText().text).toBe("\ufeffa\ufffdb");
});
