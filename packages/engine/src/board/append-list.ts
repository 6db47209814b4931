/**
 * A list that many hold at once: appending costs nothing that grows with it, and each holder sees it as long as it
 * was for him. Two lists may share one store; only the one that reaches its end appends in place.
 */
export class AppendList<T> {
  readonly #store: T[];
  readonly #length: number;
  #items: readonly T[] | undefined;

  /** Makes a list over a store of which the first `length` items are its own. */
  private constructor(store: T[], length: number, items?: readonly T[]) {
    this.#store = store;
    this.#length = length;
    this.#items = items;
  }

  /** A list of these items, which must be frozen. */
  static of<T>(items: readonly T[]): AppendList<T> {
    const frozen = Object.isFrozen(items) ? items : Object.freeze([...items]);
    return new AppendList<T>([], frozen.length, frozen);
  }

  /** The list with one item more; this one stays as it is. */
  append(item: T): AppendList<T> {
    const inPlace = this.#store.length === this.#length;
    const store = inPlace ? this.#store : [...this.items()];
    store.push(item);
    return new AppendList(store, this.#length + 1);
  }

  /** All items, frozen; made when first asked for. */
  items(): readonly T[] {
    this.#items ??= Object.freeze(this.#store.slice(0, this.#length));
    return this.#items;
  }
}
