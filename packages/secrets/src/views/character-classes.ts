// Classes of characters, as bits. They state in which encodings of secrets a character can occur, and which characters
// can be the first of a secret or an escape sequence.
/** Class of the characters of base64 and base64url. */
export const ENCODING = 1;
/** Class of letters and digits. */
export const WORD = 2;
/** Class of hex digits. */
export const HEX = 4;
/** Class of the characters that separate the bytes of a hex dump. */
export const SEPARATOR = 8;
/** Class of line ends. */
export const LINE_END = 16;
/** Class of characters that start an escape sequence. */
export const WAKES = 32;
/** Class of characters with which a secret may start. It depends on the secrets. */
export const FIRST = 64;
/** Class of characters that are skipped inside a secret, or that start an escape sequence. */
export const SKIPPED = 128;

function classify(): Uint8Array {
  const classes = new Uint8Array(128);
  const add = (texts: string, kind: number): void => {
    for (const text of texts) classes[text.charCodeAt(0)] = (classes[text.charCodeAt(0)] ?? 0) | kind;
  };
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", ENCODING | WORD);
  add("+/-_", ENCODING);
  add("0123456789abcdefABCDEF", HEX);
  add(" ,:;-[](){}\"'\n\r\t|<>", SEPARATOR);
  add("\n\r", LINE_END);
  add("\\%&^\u001b", WAKES | SKIPPED);
  add("\n\r\"'\u0007", SKIPPED);
  return classes;
}

/** Classes of each ASCII character, as bits. */
export const CLASSES: Uint8Array = classify();

/** Returns the classes of the character at an index. All non-ASCII characters count as letters. */
export function classAt(chunk: string, index: number): number {
  const unit = chunk.charCodeAt(index);
  return unit < 128 ? (CLASSES[unit] ?? 0) : WORD;
}

/** Returns true if a character with this code is a hex digit. */
export function isHexDigit(code: number): boolean {
  return ((CLASSES[code] ?? 0) & HEX) !== 0;
}
