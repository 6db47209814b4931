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
 * A list of frozen items that many hold at once: changing it makes a new one that shares all but the changed part, and
 * what differs between two of them is found without looking at what they share. No item is `undefined`.
 */
export class SharedList<T> {
  // Made by the first change or comparison; until then the items are all there is.
  #tree: SlotTree<T> | undefined;
  #items: readonly T[] | undefined;
  // Whether items must be copied when they are read.
  readonly #changeable: boolean;
  /** How many items it has. */
  readonly length: number;

  private constructor(length: number, changeable: boolean, content: { tree: SlotTree<T> } | { items: readonly T[] }) {
    this.length = length;
    this.#changeable = changeable;
    if ("tree" in content) this.#tree = content.tree;
    else this.#items = content.items;
  }

  /** A list of what a board has frozen. */
  static of<T>(items: readonly T[]): SharedList<T> {
    return new SharedList<T>(items.length, holdsChangeables(items), { items: Object.freeze(items) });
  }

  /** The list with one item more; this one stays as it is. */
  append(item: T): SharedList<T> {
    return this.with(this.length, item);
  }

  /** The list with another item at a place, which may be the one behind its last; this one stays as it is. */
  with(index: number, item: T): SharedList<T> {
    const tree = setSlot(this.#slots(), index, item);
    const length = Math.max(this.length, index + 1);
    return new SharedList(length, this.#changeable || holdsChangeables(item), { tree });
  }

  /** The list without all but the first items; this one stays as it is. */
  head(length: number): SharedList<T> {
    if (length === this.length) return this;
    return new SharedList(length, this.#changeable, { tree: cutSlots(this.#slots(), length) });
  }

  /** The item at a place, as it is held; nothing where there is none. */
  at(index: number): T | undefined {
    return getSlot(this.#slots(), index);
  }

  /** The list with the first item that matches replaced; nothing when there is none. */
  replaceFirst(matches: (item: T) => boolean, replace: (item: T) => T): SharedList<T> | undefined {
    const index = findSlot(this.#slots(), this.#changeable ? (held) => matches(handOut(held)) : matches);
    const held = this.at(index);
    return held === undefined ? undefined : this.with(index, replace(handOut(held)));
  }

  /** All items as they may be handed out, in a frozen array that is made when it is first asked for. */
  items(): readonly T[] {
    this.#items ??= Object.freeze(valuesIn(this.#slots()));
    return this.#changeable ? Object.freeze(this.#items.map((item) => handOut(item))) : this.#items;
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
    visitDifferences(before.#slots(), this.#slots(), visit);
  }

  #slots(): SlotTree<T> {
    // Kept, so that all that comes of this list shares its nodes.
    this.#tree ??= treeOf(this.#items ?? []);
    return this.#tree;
  }
}
