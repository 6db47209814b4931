/** Counts the characters of the original text, including those of escapes. */
export interface UnitCount {
  count: number;
  /** Value of `count` at the last line end that was removed. */
  lastBreak: number;
  /** Value of `count` at the last line end, escaped or not. */
  lastNewline: number;
}
