/** Receives the bytes of a text one by one, each with the range of the original text that it was decoded from. */
export interface ByteSink {
  /** Adds a byte that was decoded from `[start, end)` of the original text. */
  push(byte: number, start: number, end: number): void;
  /** Resets the state: the following bytes do not continue the preceding ones. */
  interrupt(): void;
  /** Returns true if no match is in progress, so that the state is the same as at the beginning of a word. */
  isIdle(): boolean;
  /**
   * Returns the position of the first character that may still become part of a secret. `Infinity` if no character may.
   */
  heldFrom(): number;
}
