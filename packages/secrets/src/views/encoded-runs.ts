/**
 * Properties of an encoding such as base64: how many characters encode whole bytes, and how many consecutive characters
 * indicate encoded text.
 */
export interface Grouping {
  /** Number of characters that together encode whole bytes (a group). A power of two. */
  readonly size: number;
  /** Number of bits that each character encodes. */
  readonly bits: number;
  /** Number of consecutive characters that indicate encoded text (a run). A multiple of `size`, at most 16. */
  readonly length: number;
  /** Returns whether the bytes that a group of characters encodes may be text. */
  isText(bits: number): boolean;
}

/**
 * Finds sequences of characters that decode to text, wherever their first group starts. Ordinary words are not found:
 * after a few characters, they decode to bytes that are not text.
 */
export class EncodedRuns {
  readonly #grouping: Grouping;
  readonly #mask: number;
  /**
   * Number of consecutive characters that decode to text, up to the last complete group, and at most `length`. One
   * number for each alignment, which is the position, modulo the group size, at which groups start.
   */
  readonly #runs: Uint8Array;
  #bits = 0;
  #count = 0;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
    this.#mask = 2 ** (grouping.bits * grouping.size) - 1;
    this.#runs = new Uint8Array(grouping.size);
  }

  /** Adds a character. Returns whether enough consecutive characters now decode to text. */
  add(value: number): boolean {
    const { size, bits, length, isText } = this.#grouping;
    this.#count += 1;
    this.#bits = ((this.#bits << bits) | value) & this.#mask;
    if (this.#count < size) return false;
    const phase = this.#count & (size - 1);
    const run = isText(this.#bits) ? (this.#runs[phase] ?? 0) + size : 0;
    this.#runs[phase] = Math.min(run, length);
    return run >= length;
  }

  /**
   * Returns, for each alignment (the position, modulo the group size, at which groups start), how many of the last
   * characters may be encoded text. Also counts the characters of a group that is not complete yet.
   */
  pending(): number[] {
    const { size } = this.#grouping;
    return Array.from(this.#runs, (run, phase) => {
      const begun = (this.#count - phase) & (size - 1);
      return this.#count < size ? Math.max(0, this.#count - phase) : run + begun;
    });
  }

  /** Resets the state. The next character counts as the first. */
  reset(): void {
    if (this.#count === 0) return;
    this.#count = 0;
    this.#runs.fill(0);
  }
}
