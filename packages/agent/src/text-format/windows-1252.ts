/**
 * Windows-1252 characters for the bytes 0x80 to 0x9f, in order. An empty entry is an undefined byte. Source:
 * https://encoding.spec.whatwg.org/index-windows-1252.txt
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

/** Returns whether Windows-1252 defines no character for a byte. */
export function isUndefinedByte(byte: number): boolean {
  return HIGH_CONTROLS[byte - FIRST_BYTE] === "";
}

/** Converts text that was decoded as Latin-1 to Windows-1252. */
export function fromByteText(byteText: string): string {
  return byteText.replace(/[\u0080-\u009f]/g, (byte) => HIGH_CONTROLS[byte.charCodeAt(0) - FIRST_BYTE] || byte);
}

/**
 * Returns the Latin-1 character with the same byte as a Windows-1252 character that Latin-1 lacks, such as `€`.
 * `undefined` for all other characters, including ASCII.
 */
export function toByteText(character: string): string | undefined {
  return BYTES.get(character);
}
