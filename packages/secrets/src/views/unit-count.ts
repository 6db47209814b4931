/** Counts the original characters of a text, escapes included. */
export interface UnitCount {
  count: number;
  /** Count at the last removed line end. */
  lastBreak: number;
  /** Count at the last line end, escaped or not. */
  lastNewline: number;
}
