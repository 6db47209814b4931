/** Binary heap: adding an item and removing the first item take logarithmic time. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #isBefore: (left: T, right: T) => boolean;

  /** Creates an empty heap. `isBefore` returns true if the first argument must be removed before the second. */
  constructor(isBefore: (left: T, right: T) => boolean) {
    this.#isBefore = isBefore;
  }

  /** First item. `undefined` if the heap is empty. */
  get first(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item. */
  push(item: T): void {
    let index = this.#items.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#items[parent];
      if (above === undefined || !this.#isBefore(item, above)) break;
      this.#items[index] = above;
      index = parent;
    }
    this.#items[index] = item;
  }

  /** Removes and returns the first item. `undefined` if the heap is empty. */
  pop(): T | undefined {
    const [first] = this.#items;
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return first;
  }

  /** Moves an item down from the top to its place. */
  #sink(item: T): void {
    let index = 0;
    for (;;) {
      const [left, right] = [this.#items[2 * index + 1], this.#items[2 * index + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && this.#isBefore(right, left);
      const below = isRight ? right : left;
      if (!this.#isBefore(below, item)) break;
      this.#items[index] = below;
      index = 2 * index + (isRight ? 2 : 1);
    }
    this.#items[index] = item;
  }
}
