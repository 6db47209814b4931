import { containsMutableValues, copyForReader } from "./freeze-copy.ts";
import {
  findSlot,
  getSlot,
  type SlotTree,
  setSlot,
  treeOf,
  truncateSlots,
  valuesIn,
  visitDifferences,
} from "./slot-tree.ts";

/** Called for an index at which two lists have different items. */
export type IndexVisitor<T> = (index: number, items: { before: T | undefined; after: T | undefined }) => void;

/**
 * Storage of the items. Lists that were derived from one another by appending share one array and differ only in their
 * length. All other lists use a tree.
 */
type Content<T> = { readonly row: T[] } | { readonly tree: SlotTree<T> } | { readonly items: readonly T[] };

/**
 * A persistent list of frozen items. A change returns a new list that shares all unchanged parts. Differences between
 * two lists are found without reading the shared parts. No item is `undefined`.
 */
export class SharedList<T> {
  // The shared array only grows. Its length is that of the longest list that shares it.
  #row: T[] | undefined;
  // The tree is created when an item is replaced, or when two different lists are derived from one list.
  #tree: SlotTree<T> | undefined;
  #items: readonly T[] | undefined;
  // True if items must be copied when they are read.
  readonly #changeable: boolean;
  /** Number of items. */
  readonly length: number;

  private constructor(length: number, changeable: boolean, content: Content<T>) {
    this.length = length;
    this.#changeable = changeable;
    if ("row" in content) this.#row = content.row;
    else if ("tree" in content) this.#tree = content.tree;
    else this.#items = content.items;
  }

  /** Creates a list of values that a board has frozen. */
  static of<T>(items: readonly T[]): SharedList<T> {
    return new SharedList<T>(items.length, containsMutableValues(items), { items: Object.freeze(items) });
  }

  /** Returns the list with one more item. */
  append(item: T): SharedList<T> {
    const row = this.#growingRow();
    if (row === undefined) return this.#withSlot(this.length, item);
    row.push(item);
    return new SharedList(row.length, this.#changeable || containsMutableValues(item), { row });
  }

  /** Returns the list with the item at an index replaced; the index may be one past the end. */
  with(index: number, item: T): SharedList<T> {
    return index === this.length ? this.append(item) : this.#withSlot(index, item);
  }

  /** Returns a list of the first `length` items. */
  head(length: number): SharedList<T> {
    if (length === this.length) return this;
    return new SharedList(length, this.#changeable, { tree: truncateSlots(this.#slots(), length) });
  }

  /** Returns the stored item at an index; `undefined` if there is none. */
  at(index: number): T | undefined {
    if (index >= this.length) return undefined;
    const row = this.#row ?? this.#items;
    return row === undefined ? getSlot(this.#slots(), index) : row[index];
  }

  /** Returns the list with the first matching item replaced; `undefined` if no item matches. */
  replaceFirst(matches: (item: T) => boolean, replace: (item: T) => T): SharedList<T> | undefined {
    const index = findSlot(this.#slots(), this.#changeable ? (held) => matches(copyForReader(held)) : matches);
    const held = this.at(index);
    return held === undefined ? undefined : this.with(index, replace(copyForReader(held)));
  }

  /** Returns all items in a frozen array that is created on first access. */
  items(): readonly T[] {
    const items = this.#held();
    return this.#changeable ? Object.freeze(items.map((item) => copyForReader(item))) : items;
  }

  /** Returns a range of the items. */
  slice(from: number, to: number): readonly T[] {
    // The array is copied by spread, which is much faster than a long slice of a frozen array.
    if (from === 0 && to === this.length) return [...this.items()];
    const items: T[] = [];
    for (let index = from; index < to; index += 1) {
      const item = this.at(index);
      if (item !== undefined) items.push(copyForReader(item));
    }
    return items;
  }

  /** Visits the indexes whose items differ, in order. */
  visitDifferences(before: SharedList<T>, visit: IndexVisitor<T>): void {
    const isOneRow = this.#row !== undefined && this.#row === before.#row;
    if (!isOneRow && before.length > 0) {
      visitDifferences(before.#slots(), this.#slots(), visit);
      return;
    }
    // Here, all items up to the length of the shorter list are equal.
    const [from, to] = [Math.min(before.length, this.length), Math.max(before.length, this.length)];
    for (let index = from; index < to; index += 1) visit(index, { before: before.at(index), after: this.at(index) });
  }

  /** Returns the stored items in a frozen array. */
  #held(): readonly T[] {
    this.#items ??= Object.freeze(this.#row === undefined ? valuesIn(this.#slots()) : this.#row.slice(0, this.length));
    return this.#items;
  }

  /**
   * Returns the shared array if an item may be appended to it for this list. `undefined` if there is no array, or if
   * another list has already appended an item.
   */
  #growingRow(): T[] | undefined {
    // The array is stored, so that a later comparison with a derived list can detect the shared items.
    if (this.#tree === undefined) this.#row ??= [...(this.#items ?? [])];
    return this.#row?.length === this.length ? this.#row : undefined;
  }

  #withSlot(index: number, item: T): SharedList<T> {
    const tree = setSlot(this.#slots(), index, item);
    const length = Math.max(this.length, index + 1);
    return new SharedList(length, this.#changeable || containsMutableValues(item), { tree });
  }

  #slots(): SlotTree<T> {
    // The tree is stored, so that all lists derived from this one share its nodes.
    this.#tree ??= treeOf(this.#row === undefined ? (this.#items ?? []) : this.#row.slice(0, this.length));
    return this.#tree;
  }
}
