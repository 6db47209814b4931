import { EMPTY_TREE, getSlot, type SlotTree, setSlot, visitDifferences } from "./slot-tree.ts";

// Minimum number of unused slots of a map before the slots are renumbered without gaps.
const SPARE_SLOTS = 64;

/** Slot number of each key. Maps that were derived from one another share the slot numbers, which are never reused. */
interface Slots {
  readonly byKey: Map<string, number>;
  readonly keys: string[];
}

/** A key whose value differs between two maps; `undefined` stands for a missing value. */
export interface MapChange<V> {
  readonly key: string;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/**
 * A persistent map. A change returns a new map that shares all unchanged parts. Differences between two maps are found
 * without reading the shared parts. No value is `undefined`.
 */
export class SharedMap<V> {
  readonly #slots: Slots;
  readonly #tree: SlotTree<V | undefined>;
  /** Number of entries. */
  readonly size: number;

  private constructor(slots: Slots, tree: SlotTree<V | undefined>, size: number) {
    this.#slots = slots;
    this.#tree = tree;
    this.size = size;
  }

  /** Returns a map without entries. */
  static empty<V>(): SharedMap<V> {
    return new SharedMap<V>({ byKey: new Map(), keys: [] }, EMPTY_TREE, 0);
  }

  get(key: string): V | undefined {
    const slot = this.#slots.byKey.get(key);
    return slot === undefined ? undefined : getSlot(this.#tree, slot);
  }

  /** Returns the map with an entry set. */
  with(key: string, value: V): SharedMap<V> {
    const known = this.#slots.byKey.get(key);
    if (known !== undefined) return this.#withSlot(known, value);
    const slots = this.#roomy();
    if (slots !== this.#slots) return this.#rebuilt(slots).with(key, value);
    const slot = slots.keys.push(key) - 1;
    slots.byKey.set(key, slot);
    return this.#withSlot(slot, value);
  }

  /** Returns the map without an entry. */
  without(key: string): SharedMap<V> {
    const slot = this.#slots.byKey.get(key);
    if (slot === undefined || getSlot(this.#tree, slot) === undefined) return this;
    return new SharedMap(this.#slots, setSlot(this.#tree, slot, undefined), this.size - 1);
  }

  /** Returns all entries, in the order in which their keys were first set. */
  entries(): (readonly [string, V])[] {
    const entries: (readonly [string, V])[] = [];
    visitDifferences<V | undefined>(EMPTY_TREE, this.#tree, (slot, { after }) => {
      const key = this.#slots.keys[slot];
      if (key !== undefined && after !== undefined) entries.push([key, after]);
    });
    return entries;
  }

  /**
   * Returns the differences to an earlier map. If one was derived from the other, the cost grows with the differences
   * only.
   */
  changesSince(before: SharedMap<V>): MapChange<V>[] {
    const changes: MapChange<V>[] = [];
    if (before.#slots === this.#slots) {
      visitDifferences(before.#tree, this.#tree, (slot, values) => {
        const key = this.#slots.keys[slot];
        if (key !== undefined) changes.push({ key, ...values });
      });
      return changes;
    }
    for (const [key, value] of before.entries()) {
      const after = this.get(key);
      if (after !== value) changes.push({ key, before: value, after });
    }
    for (const [key, after] of this.entries()) {
      if (before.get(key) === undefined) changes.push({ key, before: undefined, after });
    }
    return changes;
  }

  #withSlot(slot: number, value: V): SharedMap<V> {
    const grows = getSlot(this.#tree, slot) === undefined;
    return new SharedMap(this.#slots, setSlot(this.#tree, slot, value), this.size + (grows ? 1 : 0));
  }

  /** Returns the slots for a new key: the current ones, or new ones if most of the current belong to removed keys. */
  #roomy(): Slots {
    const isRoomy = this.#slots.keys.length <= 2 * this.size + SPARE_SLOTS;
    return isRoomy ? this.#slots : { byKey: new Map(), keys: [] };
  }

  #rebuilt(slots: Slots): SharedMap<V> {
    return this.entries().reduce((map, [key, value]) => map.with(key, value), new SharedMap<V>(slots, EMPTY_TREE, 0));
  }
}
