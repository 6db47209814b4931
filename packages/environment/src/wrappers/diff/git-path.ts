const ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** Quotes a path as git does in a diff: as a C string if it has special characters. */
export function quoteGitPath(path: string): string {
  let quoted = "";
  let isOdd = false;
  for (const byte of new TextEncoder().encode(path)) {
    const character = String.fromCharCode(byte);
    const escaped = byte < 0x80 ? ESCAPES[character] : undefined;
    const isPlain = escaped === undefined && byte >= 0x20 && byte < 0x7f;
    if (!isPlain) isOdd = true;
    quoted += isPlain ? character : (escaped ?? `\\${byte.toString(8).padStart(3, "0")}`);
  }
  return isOdd ? `"${quoted}"` : path;
}
