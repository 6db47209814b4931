import { expect, test } from "vitest";
import { replaceHiddenCharacters } from "../index.ts";

const show = (codePoint: number): string => `<${codePoint.toString(16)}>`;

test("every invisible character is replaced", () => {
  const hidden = [0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b, 0x200e, 0x202e, 0x2060, 0x2064, 0x2066, 0x206a];
  const further = [0x2800, 0x3164, 0xfe00, 0xfeff, 0xffa0, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0fff, 0x2028];
  for (const codePoint of [...hidden, ...further]) {
    expect(replaceHiddenCharacters(`a${String.fromCodePoint(codePoint)}b`, show)).toBe(`a<${codePoint.toString(16)}>b`);
  }
});

test("joiners and selectors are preserved in emoji and in scripts that need them, and replaced elsewhere", () => {
  for (const text of ["👩‍💻 👩🏽‍🚀 🏳️‍🌈 👨‍👩‍👧 ❤️ 1️⃣", "می\u200cخواهم", "क्\u200dष", "葛\u{e0100}", "plain é 漢\n\t"]) {
    expect(replaceHiddenCharacters(text, show)).toBe(text);
  }
  expect(replaceHiddenCharacters("pay\u200dpal a\ufe0fb \u200d👩 c\u{e0100}", show)).toBe(
    "pay<200d>pal a<fe0f>b <200d>👩 c<e0100>",
  );
});
