/** Receives decoded bytes one by one, each with the range of the original text that encoded it. */
export interface ByteSink {
  /** Adds a byte that the range `[start, end)` of the original text encodes. */
  push(byte: number, start: number, end: number): void;
  /** Resets the state, because the following bytes do not continue the bytes read so far. */
  interrupt(): void;
  /**
   * Returns true if no decoding is in progress, and the last characters are not the beginning of a secret. Encoded text
   * that started in the middle of a word may still be undetected.
   */
  isIdle(): boolean;
  /**
   * Returns the position, in the original text, of the first character that may be the beginning of a secret whose end
   * has not been read yet. `Infinity` if there is none.
   */
  pendingFrom(): number;
}
