/**
 * Properties of an encoding: how its characters form groups of whole bytes, and how many consecutive characters
 * indicate encoded text.
 */
export interface Grouping {
  /** Number of characters in a group that encodes whole bytes: a power of two. */
  readonly size: number;
  /** Number of bits that each character encodes. */
  readonly bits: number;
  /** Number of consecutive characters that indicate encoded text: a multiple of `size`, at most 16. */
  readonly length: number;
  /** Returns whether the bits of a group may decode to text. */
  isText(bits: number): boolean;
}

/**
 * Finds runs of encoded characters that decode to text, at any alignment. Ordinary words decode to something else
 * within a few characters.
 */
export class EncodedRuns {
  readonly #grouping: Grouping;
  readonly #mask: number;
  /** Length of the current run of text, by alignment. */
  readonly #runs: Uint8Array;
  #bits = 0;
  #count = 0;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
    this.#mask = 2 ** (grouping.bits * grouping.size) - 1;
    this.#runs = new Uint8Array(grouping.size);
  }

  /** Adds a character. Returns whether the character completes a run that decodes to text. */
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

  /** Returns the length of the current runs, by alignment: complete groups and the start of one. */
  pending(): number[] {
    const { size } = this.#grouping;
    return Array.from(this.#runs, (run, phase) => {
      const begun = (this.#count - phase) & (size - 1);
      return this.#count < size ? Math.max(0, this.#count - phase) : run + begun;
    });
  }

  /** Resets the state, so that the next character is treated as the first. */
  reset(): void {
    if (this.#count === 0) return;
    this.#count = 0;
    this.#runs.fill(0);
  }
}
