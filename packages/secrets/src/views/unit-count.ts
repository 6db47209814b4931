/** Number of characters of the original text read so far. Each character of an escape sequence counts. */
export interface UnitCount {
  count: number;
  /** Position, in units of `count`, of the last line end that was removed from the text. */
  lastBreak: number;
  /** Position, in units of `count`, of the last line end, whether or not it was escaped. */
  lastNewline: number;
}
