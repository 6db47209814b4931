import { replaceHiddenCharacters } from "@switchyard/contracts";

const CONTROLS = /(?![\n\t])\p{Cc}/gu;
const CONTROLS_IN_JSON = /\p{Cc}/gu;

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/**
 * Returns the escape sequence of a character, such as `\u00ad`, or `\u{e0041}` for code points of more than four
 * digits.
 */
function escaped(codePoint: number): string {
  const digits = codePoint.toString(16).padStart(4, "0");
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Makes text from a model, tool or provider safe for a terminal. Control characters become visible symbols. Hidden and
 * bidirectional characters become escape sequences. Line endings become `\n`; tabs are unchanged.
 */
export function neutraliseControls(text: string): string {
  const plain = text.replace(/\r+\n/g, "\n").replace(/\r/g, "\n").replace(CONTROLS, picture);
  return replaceHiddenCharacters(plain, escaped);
}

/**
 * Converts a value to JSON on one line, with hidden and control characters escaped. Decoding returns the same value.
 */
export function toPlainJson(value: unknown): string {
  const json = JSON.stringify(value).replace(CONTROLS_IN_JSON, escapedUnit);
  return replaceHiddenCharacters(json, (codePoint) => String.fromCodePoint(codePoint).replace(/[\s\S]/g, escapedUnit));
}
