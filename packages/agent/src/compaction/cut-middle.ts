/** The length of the head that ends between characters. */
function headLength(text: string, length: number): number {
  const code = text.charCodeAt(length - 1);
  return code >= 0xd800 && code <= 0xdbff ? length - 1 : length;
}

/** A text of at most about that many characters: its beginning and its end, and between them how much is missing. */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.max(1, Math.floor(maxCharacters / 2));
  const head = text.slice(0, headLength(text, half));
  const tail = text.slice(headLength(text, text.length - half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
