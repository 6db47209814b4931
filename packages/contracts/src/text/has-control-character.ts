const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** True if a text holds a control character or a line end, and may not become a header or a part of a line. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}
