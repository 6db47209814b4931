/** Line of a text, as positions. The text is not copied. */
export interface TextLine {
  /** Position of the first character. */
  readonly start: number;
  /** Position after the last character, before the line end. */
  readonly end: number;
  /** Position after the line end. */
  readonly next: number;
}

/** Returns the line at a position, which is empty at the end of the text. */
export function lineAt(text: string, start: number): TextLine {
  const newline = text.indexOf("\n", start);
  const stop = newline === -1 ? text.length : newline;
  const end = newline !== -1 && stop > start && text[stop - 1] === "\r" ? stop - 1 : stop;
  return { start, end, next: newline === -1 ? text.length : newline + 1 };
}

/** Returns the lines of a text. A final line end does not start another line; an empty text has no lines. */
export function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = [];
  for (let start = 0; start < text.length; ) {
    const line = lineAt(text, start);
    lines.push(line);
    start = line.next;
  }
  return lines;
}
