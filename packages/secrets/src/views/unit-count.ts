/** Number of characters of a text that were read so far. Each character of an escape sequence counts. */
export interface UnitCount {
  count: number;
  /** Value of `count` at the last line end that `LineJoiner` has removed from the text. 0 if there is none. */
  lastBreak: number;
  /** Value of `count` at the last line end, including line ends that are written as escapes (`\\n`). */
  lastNewline: number;
}
