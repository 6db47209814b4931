/** Text replacement to perform. */
export interface Replacement {
  /** Text to find. */
  readonly oldText: string;
  /** Replacement text, inserted literally. */
  readonly newText: string;
  /** True to replace all occurrences. */
  readonly replaceAll: boolean;
}
