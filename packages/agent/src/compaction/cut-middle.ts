/** Returns the length of the head without splitting a surrogate pair. */
function headLength(text: string, length: number): number {
  const code = text.charCodeAt(length - 1);
  return code >= 0xd800 && code <= 0xdbff ? length - 1 : length;
}

/** Truncates a text in the middle to about this many characters, with a note about the missing length. */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.max(1, Math.floor(maxCharacters / 2));
  const head = text.slice(0, headLength(text, half));
  const tail = text.slice(headLength(text, text.length - half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
