/** Grouping of an encoding's characters, and the length of a run that indicates encoded text. */
export interface Grouping {
  /** Characters per group: a power of two. */
  readonly size: number;
  /** Bits per character. */
  readonly bits: number;
  /** Characters per run: a multiple of `size`, at most 16. */
  readonly length: number;
  /** Returns whether a group may be text. */
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

  /** Adds a character. Returns whether it completes a run. */
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

  /** Resets the state: the next character follows none. */
  reset(): void {
    if (this.#count === 0) return;
    this.#count = 0;
    this.#runs.fill(0);
  }
}
