const NAMED: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
};
const ESCAPE = /\\(?:[xuU]([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function decode(sequence: string): string {
  const [, hex, octal, control, named = ""] = new RegExp(ESCAPE.source).exec(sequence) ?? [];
  if (hex !== undefined) {
    // `\x` takes two digits, `\u` four, `\U` eight; the following digits are text.
    const size = { x: 2, u: 4 }[sequence.charAt(1)] ?? 8;
    return fromCode(Number.parseInt(hex.slice(0, size), 16)) + hex.slice(size);
  }
  if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
  if (control !== undefined) return fromCode((control.codePointAt(0) ?? 0) & 0x1f);
  return NAMED[named] ?? named;
}

/** Decodes the body of `$'…'`, in which bash accepts C escapes. bash(1), QUOTING. */
export function decodeAnsiQuote(body: string): string {
  return body.replace(ESCAPE, decode);
}
