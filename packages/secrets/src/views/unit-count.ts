/** Number of characters of the original text read so far. Each character of an escape sequence counts. */
export interface UnitCount {
  count: number;
  /** Value of `count` at the last line end that was removed from the text. */
  lastBreak: number;
  /** Value of `count` at the last line end, including line ends that are written as escapes (`\\n`). */
  lastNewline: number;
}
