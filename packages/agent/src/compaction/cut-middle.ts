/** Returns the length, reduced by one if cutting the text at that length would split a surrogate pair. */
function headLength(text: string, length: number): number {
  const code = text.charCodeAt(length - 1);
  return code >= 0xd800 && code <= 0xdbff ? length - 1 : length;
}

/**
 * Shortens a text to approximately `maxCharacters` by replacing its middle with a note of how many characters are
 * omitted.
 */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.max(1, Math.floor(maxCharacters / 2));
  const head = text.slice(0, headLength(text, half));
  const tail = text.slice(headLength(text, text.length - half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
