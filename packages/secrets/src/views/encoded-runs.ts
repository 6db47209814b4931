/** How characters of an encoding are grouped, and how many of them in a row must be text to be worth a look. */
export interface Grouping {
  /** Characters of a group: a power of two. */
  readonly size: number;
  /** Bits of a character. */
  readonly bits: number;
  /** Characters of a run: a multiple of `size`, at most 16. */
  readonly length: number;
  /** True if a group may be text. */
  isText(bits: number): boolean;
}

/**
 * Finds characters of an encoding in a row that decode to text, at any alignment. Ordinary words decode to something else within
 * a few characters.
 */
export class EncodedRuns {
  readonly #grouping: Grouping;
  readonly #mask: number;
  /** Characters in a row that are text, by alignment. */
  readonly #runs: Uint8Array;
  #bits = 0;
  #count = 0;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
    this.#mask = 2 ** (grouping.bits * grouping.size) - 1;
    this.#runs = new Uint8Array(grouping.size);
  }

  /** Takes the next character. True if a run ends with it. */
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

  /** Numbers of the last characters with which a run is under way, by alignment: whole groups and the beginning of one. */
  pending(): number[] {
    const { size } = this.#grouping;
    return Array.from(this.#runs, (run, phase) => {
      const begun = (this.#count - phase) & (size - 1);
      return this.#count < size ? Math.max(0, this.#count - phase) : run + begun;
    });
  }

  /** Forgets the characters: the next one follows none. */
  reset(): void {
    if (this.#count === 0) return;
    this.#count = 0;
    this.#runs.fill(0);
  }
}
