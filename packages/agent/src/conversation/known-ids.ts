/** Maximum number of ids in the array, which is searched linearly. */
const FEW = 32;

/** Set of ids. Uses an array while there are few, as in most sessions, because a `Set` takes twice the memory. */
export class KnownIds {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** Approximate number of ids. */
  get size(): number {
    return this.#many?.size ?? this.#few.length;
  }

  /** Returns true if the id has been added. */
  has(id: string): boolean {
    return this.#many === undefined ? this.#few.includes(id) : this.#many.has(id);
  }

  /** Adds an id. Adding the same id twice has no effect. */
  add(id: string): void {
    if (this.#many === undefined && this.#few.length < FEW) {
      this.#few.push(id);
      return;
    }
    this.#many ??= new Set(this.#few);
    this.#many.add(id);
  }
}
