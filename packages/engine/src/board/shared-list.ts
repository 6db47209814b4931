import { handOut, holdsChangeables } from "./freeze-copy.ts";
import {
  cutSlots,
  findSlot,
  getSlot,
  type SlotTree,
  setSlot,
  treeOf,
  valuesIn,
  visitDifferences,
} from "./slot-tree.ts";

/** Is told of a place at which two lists hold different items. */
export type PlaceVisitor<T> = (index: number, items: { before: T | undefined; after: T | undefined }) => void;

/**
 * Where the items of a list are: in a row that all lists share which came from one another by appending, each knowing
 * how far it goes; else in a tree.
 */
type Content<T> = { readonly row: T[] } | { readonly tree: SlotTree<T> } | { readonly items: readonly T[] };

/**
 * A list of frozen items that many hold at once: changing it makes a new one that shares all but the changed part, and
 * what differs between two of them is found without looking at what they share. No item is `undefined`.
 */
export class SharedList<T> {
  // It only grows, and only by the longest of the lists that share it.
  #row: T[] | undefined;
  // Made when an item is replaced, or when two lists grow out of one.
  #tree: SlotTree<T> | undefined;
  #items: readonly T[] | undefined;
  // Whether items must be copied when they are read.
  readonly #changeable: boolean;
  /** How many items it has. */
  readonly length: number;

  private constructor(length: number, changeable: boolean, content: Content<T>) {
    this.length = length;
    this.#changeable = changeable;
    if ("row" in content) this.#row = content.row;
    else if ("tree" in content) this.#tree = content.tree;
    else this.#items = content.items;
  }

  /** A list of what a board has frozen. */
  static of<T>(items: readonly T[]): SharedList<T> {
    return new SharedList<T>(items.length, holdsChangeables(items), { items: Object.freeze(items) });
  }

  /** The list with one item more; this one stays as it is. */
  append(item: T): SharedList<T> {
    const row = this.#growingRow();
    if (row === undefined) return this.#withSlot(this.length, item);
    row.push(item);
    return new SharedList(row.length, this.#changeable || holdsChangeables(item), { row });
  }

  /** The list with another item at a place, which may be the one behind its last; this one stays as it is. */
  with(index: number, item: T): SharedList<T> {
    return index === this.length ? this.append(item) : this.#withSlot(index, item);
  }

  /** The list without all but the first items; this one stays as it is. */
  head(length: number): SharedList<T> {
    if (length === this.length) return this;
    return new SharedList(length, this.#changeable, { tree: cutSlots(this.#slots(), length) });
  }

  /** The item at a place, as it is held; nothing where there is none. */
  at(index: number): T | undefined {
    if (index >= this.length) return undefined;
    const row = this.#row ?? this.#items;
    return row === undefined ? getSlot(this.#slots(), index) : row[index];
  }

  /** The list with the first item that matches replaced; nothing when there is none. */
  replaceFirst(matches: (item: T) => boolean, replace: (item: T) => T): SharedList<T> | undefined {
    const index = findSlot(this.#slots(), this.#changeable ? (held) => matches(handOut(held)) : matches);
    const held = this.at(index);
    return held === undefined ? undefined : this.with(index, replace(handOut(held)));
  }

  /** All items as they may be handed out, in a frozen array that is made when it is first asked for. */
  items(): readonly T[] {
    const items = this.#held();
    return this.#changeable ? Object.freeze(items.map((item) => handOut(item))) : items;
  }

  /** Some of the items as they may be handed out. */
  slice(from: number, to: number): readonly T[] {
    // Spread, as a long slice of a frozen array is many times slower.
    if (from === 0 && to === this.length) return [...this.items()];
    const items: T[] = [];
    for (let index = from; index < to; index += 1) {
      const item = this.at(index);
      if (item !== undefined) items.push(handOut(item));
    }
    return items;
  }

  /** Visits the places whose items are not the same, in their order. */
  visitDifferences(before: SharedList<T>, visit: PlaceVisitor<T>): void {
    const isOneRow = this.#row !== undefined && this.#row === before.#row;
    if (!isOneRow && before.length > 0) {
      visitDifferences(before.#slots(), this.#slots(), visit);
      return;
    }
    // Up to the end of the shorter one they are the same.
    const [from, to] = [Math.min(before.length, this.length), Math.max(before.length, this.length)];
    for (let index = from; index < to; index += 1) visit(index, { before: before.at(index), after: this.at(index) });
  }

  /** The items as they are held, in a frozen array. */
  #held(): readonly T[] {
    this.#items ??= Object.freeze(this.#row === undefined ? valuesIn(this.#slots()) : this.#row.slice(0, this.length));
    return this.#items;
  }

  /** The row, where this list is the one by which it grows; nothing where it has grown past it, or where there is none. */
  #growingRow(): T[] | undefined {
    // Spread, as above. Kept, so that what differs from this list is found in it.
    if (this.#tree === undefined) this.#row ??= [...(this.#items ?? [])];
    return this.#row?.length === this.length ? this.#row : undefined;
  }

  #withSlot(index: number, item: T): SharedList<T> {
    const tree = setSlot(this.#slots(), index, item);
    const length = Math.max(this.length, index + 1);
    return new SharedList(length, this.#changeable || holdsChangeables(item), { tree });
  }

  #slots(): SlotTree<T> {
    // Kept, so that all that comes of this list shares its nodes.
    this.#tree ??= treeOf(this.#row === undefined ? (this.#items ?? []) : this.#row.slice(0, this.length));
    return this.#tree;
  }
}
