/** One line of a text, as offsets. Its characters are not copied. */
export interface TextLine {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the line's last character, before its line end. */
  readonly end: number;
  /** Offset after the line end. */
  readonly next: number;
}

/** Returns the line that starts at an offset. At the end of the text, the line is empty. */
export function lineAt(text: string, start: number): TextLine {
  const newline = text.indexOf("\n", start);
  const stop = newline === -1 ? text.length : newline;
  const end = newline !== -1 && stop > start && text[stop - 1] === "\r" ? stop - 1 : stop;
  return { start, end, next: newline === -1 ? text.length : newline + 1 };
}

/** Splits a text into lines. A final line end does not start another line, and an empty text has no lines. */
export function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = [];
  for (let start = 0; start < text.length; ) {
    const line = lineAt(text, start);
    lines.push(line);
    start = line.next;
  }
  return lines;
}
