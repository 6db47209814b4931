const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const WIDTHLESS = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** Estimates the width of a text without control characters on a terminal, in columns. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDTHLESS.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Cuts a text to a number of columns. A cut text ends in `…`. */
export function cutToWidth(text: string, columns: number): string {
  let width = 0;
  let at = 0;
  let kept = 0;
  for (const character of text) {
    width += displayWidth(character);
    if (width > columns) return columns > 0 ? `${text.slice(0, kept)}…` : "";
    at += character.length;
    if (width < columns) kept = at;
  }
  return text;
}
