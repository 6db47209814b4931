const CONTROLS = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const NOT_ESCAPED_BY_JSON = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/**
 * Text of a model, a tool or a provider as it may be shown on a terminal: control characters and marks that turn
 * the direction of text become visible pictures, line ends become `\n`, tabs stay.
 */
export function neutraliseControls(text: string): string {
  return text.replace(/\r+\n/g, "\n").replace(/\r/g, "\n").replace(CONTROLS, picture);
}

/** JSON on one line that a terminal shows as it is; it decodes to the same value. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    NOT_ESCAPED_BY_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
