// Classes of characters, as bits. A class says in which kind of encoded secret a character may occur or be the first
// character.
/** Class of the characters of base64 and base64url. */
export const ENCODING = 1;
/** Class of letters and digits. */
export const WORD = 2;
/** Class of hex digits. */
export const HEX = 4;
/** Class of the separators between the bytes of a dump. */
export const SEPARATOR = 8;
/** Class of line ends. */
export const LINE_END = 16;
/** Class of characters that start an escape. */
export const WAKES = 32;
/** Class of characters that a secret starts with; it depends on the secrets. */
export const FIRST = 64;
/** Class of characters that views skip inside a secret, or that start an escape. */
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
