const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/**
 * Returns true if a text contains a control character or a line break. Such a text must not be used in a header or as a
 * single line.
 */
export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}
