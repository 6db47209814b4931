/**
 * Characters of the bytes 0x80 to 0x9f in Windows-1252, in order. The empty entries are bytes without a character.
 * Source: https://encoding.spec.whatwg.org/index-windows-1252.txt
 */
const HIGH_CONTROLS: readonly string[] = [
  ..."\u20ac",
  "",
  ..."\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152",
  "",
  ..."\u017d",
  "",
  "",
  ..."\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153",
  "",
  ..."\u017e\u0178",
];

const FIRST_BYTE = 0x80;

const BYTES: ReadonlyMap<string, string> = new Map(
  HIGH_CONTROLS.flatMap((character, index) =>
    character === "" ? [] : [[character, String.fromCharCode(FIRST_BYTE + index)] as const],
  ),
);

/** Whether the byte has no character in Windows-1252. */
export function isUndefinedByte(byte: number): boolean {
  return HIGH_CONTROLS[byte - FIRST_BYTE] === "";
}

/** Converts text with one character per byte (Latin-1) to the characters of Windows-1252. */
export function fromByteText(byteText: string): string {
  return byteText.replace(/[\u0080-\u009f]/g, (byte) => HIGH_CONTROLS[byte.charCodeAt(0) - FIRST_BYTE] || byte);
}

/** Converts text to one character per byte. `undefined` for a character that Windows-1252 does not have. */
export function toByteText(character: string): string | undefined {
  return BYTES.get(character);
}
