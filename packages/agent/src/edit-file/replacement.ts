/** Text to replace, and its replacement. */
export interface Replacement {
  /** Text to find. */
  readonly oldText: string;
  /** Replacement, inserted literally. */
  readonly newText: string;
  /** Whether to replace all occurrences. */
  readonly replaceAll: boolean;
}
