/** Up to so many are looked through one by one. */
const FEW = 32;

/** Ids that were seen. A list while they are few, as in most sessions: a set takes twice the memory. */
export class KnownIds {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** How many were noted, roughly. */
  get size(): number {
    return this.#many?.size ?? this.#few.length;
  }

  /** Whether an id was seen. */
  has(id: string): boolean {
    return this.#many === undefined ? this.#few.includes(id) : this.#many.has(id);
  }

  /** Takes note of an id; one that is noted twice is known all the same. */
  add(id: string): void {
    if (this.#many === undefined && this.#few.length < FEW) {
      this.#few.push(id);
      return;
    }
    this.#many ??= new Set(this.#few);
    this.#many.add(id);
  }
}
