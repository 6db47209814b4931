const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** Windows-1252 characters for the bytes 0x80 to 0x9f. For bytes from 0xa0, Windows-1252 equals Latin-1. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * A line of at least this length, in bytes, may have been truncated in the middle of a character. An incomplete last
 * character then does not make the line invalid UTF-8.
 */
const MAY_BE_CUT_BYTES = 4_096;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: bytes.length >= MAY_BE_CUT_BYTES });
    return true;
  } catch {
    return false;
  }
}

function decodeByte(byte: number): string {
  const isExtra = byte >= 0x80 && byte <= 0x9f;
  return isExtra ? (WINDOWS_1252[byte - 0x80] ?? "") : String.fromCharCode(byte);
}

/** Decodes a line of a file as UTF-8, or as Latin-1 or Windows-1252 if it is not valid UTF-8. */
export function decodeLine(bytes: Uint8Array): string {
  const text = lossy.decode(bytes);
  if (!text.includes("\ufffd") || isUtf8(bytes)) return text;
  return Array.from(bytes, decodeByte).join("");
}

/**
 * Returns the byte that encodes a character in Latin-1 or Windows-1252. `undefined` for ASCII, and for characters that
 * these encodings lack.
 */
export function legacyByteOf(character: string): number | undefined {
  const extra = WINDOWS_1252.indexOf(character);
  if (extra >= 0) return 0x80 + extra;
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xa0 && code <= 0xff ? code : undefined;
}
