/**
 * A list that many hold at once: appending costs nothing that grows with it, and each holder sees it as long as it
 * was for him. Two lists may share one store; only the one that reaches its end appends in place.
 */
export class AppendList<T> {
  // Made by the first append; until then the items are all there is.
  #store: T[] | undefined;
  #items: readonly T[] | undefined;
  /** How many items it has. */
  readonly length: number;

  private constructor(length: number, parts: { store?: T[]; items?: readonly T[] }) {
    this.length = length;
    this.#store = parts.store;
    this.#items = parts.items;
  }

  /** A list of these items, which must be frozen. */
  static of<T>(items: readonly T[]): AppendList<T> {
    const frozen = Object.isFrozen(items) ? items : Object.freeze([...items]);
    return new AppendList<T>(frozen.length, { items: frozen });
  }

  /** The list with one item more; this one stays as it is. */
  append(item: T): AppendList<T> {
    // Kept, so that what came of this list is known by the store they share.
    this.#store ??= [...this.items()];
    const store = this.#store.length === this.length ? this.#store : this.#store.slice(0, this.length);
    store.push(item);
    return new AppendList(this.length + 1, { store });
  }

  /** The list with another item at a place; this one stays as it is. */
  with(index: number, item: T): AppendList<T> {
    const store = this.#slice(0, this.length);
    store[index] = item;
    return new AppendList(this.length, { store });
  }

  /** The place of the first item that matches; -1 when there is none. No item is `undefined`. */
  findIndex(matches: (item: T) => boolean): number {
    const items = this.#store ?? this.#items ?? [];
    for (let index = 0; index < this.length; index += 1) {
      const item = items[index];
      if (item !== undefined && matches(item)) return index;
    }
    return -1;
  }

  /** The item at a place. */
  at(index: number): T | undefined {
    return index < this.length ? (this.#store ?? this.#items)?.[index] : undefined;
  }

  /** The list without all but the first items; this one stays as it is. */
  head(length: number): AppendList<T> {
    if (length === this.length) return this;
    return new AppendList(
      length,
      this.#store === undefined ? { items: Object.freeze(this.#slice(0, length)) } : { store: this.#store },
    );
  }

  /** All items, frozen; made when first asked for. */
  items(): readonly T[] {
    this.#items ??= Object.freeze(this.#slice(0, this.length));
    return this.#items;
  }

  /** The items from this one on. */
  tail(from: number): readonly T[] {
    return this.#slice(from, this.length);
  }

  /** Whether both lists hold the same as far as the shorter one goes, and that is known without looking. */
  isKin(other: AppendList<T>): boolean {
    return this.#store !== undefined && this.#store === other.#store;
  }

  #slice(from: number, to: number): T[] {
    const items = this.#store ?? this.#items ?? [];
    // Spread first, as a long slice of a frozen array is many times slower.
    return (from === 0 && this.#store === undefined ? [...items] : items).slice(from, to);
  }
}
