/** Counts the characters of a text as it is, escapes included. */
export interface UnitCount {
  count: number;
  /** Count at the last line end that was left out. */
  lastBreak: number;
  /** Count at the last line end, escaped or not. */
  lastNewline: number;
}
