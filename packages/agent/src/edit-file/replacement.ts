/** What is to be replaced by what. */
export interface Replacement {
  /** Text to find. */
  readonly oldText: string;
  /** Text to put in its place, literally. */
  readonly newText: string;
  /** Whether every occurrence is replaced. */
  readonly replaceAll: boolean;
}
