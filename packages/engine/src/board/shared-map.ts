import { EMPTY_TREE, getSlot, type SlotTree, setSlot, visitDifferences } from "./slot-tree.ts";

// Fewer unused slots than these are not worth new ones.
const SPARE_SLOTS = 64;

/** Which slot each key has. Maps that came from one another share it; it only grows. */
interface Slots {
  readonly byKey: Map<string, number>;
  readonly keys: string[];
}

/** A key whose value differs between two maps; nothing stands for a missing one. */
export interface MapChange<V> {
  readonly key: string;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/**
 * A map that many hold at once: changing it makes a new one that shares all but the changed part, and what differs
 * between two of them is found without looking at what they share. No value is `undefined`.
 */
export class SharedMap<V> {
  readonly #slots: Slots;
  readonly #tree: SlotTree<V | undefined>;
  /** How many entries it has. */
  readonly size: number;

  private constructor(slots: Slots, tree: SlotTree<V | undefined>, size: number) {
    this.#slots = slots;
    this.#tree = tree;
    this.size = size;
  }

  /** A map without entries. */
  static empty<V>(): SharedMap<V> {
    return new SharedMap<V>({ byKey: new Map(), keys: [] }, EMPTY_TREE, 0);
  }

  get(key: string): V | undefined {
    const slot = this.#slots.byKey.get(key);
    return slot === undefined ? undefined : getSlot(this.#tree, slot);
  }

  /** The map with this entry; this one stays as it is. */
  with(key: string, value: V): SharedMap<V> {
    const known = this.#slots.byKey.get(key);
    if (known !== undefined) return this.#withSlot(known, value);
    const slots = this.#roomy();
    if (slots !== this.#slots) return this.#rebuilt(slots).with(key, value);
    const slot = slots.keys.push(key) - 1;
    slots.byKey.set(key, slot);
    return this.#withSlot(slot, value);
  }

  /** The map without this entry; this one stays as it is. */
  without(key: string): SharedMap<V> {
    const slot = this.#slots.byKey.get(key);
    if (slot === undefined || getSlot(this.#tree, slot) === undefined) return this;
    return new SharedMap(this.#slots, setSlot(this.#tree, slot, undefined), this.size - 1);
  }

  /** All entries, in the order in which their keys came first. */
  entries(): (readonly [string, V])[] {
    const entries: (readonly [string, V])[] = [];
    visitDifferences<V | undefined>(EMPTY_TREE, this.#tree, (slot, { after }) => {
      const key = this.#slots.keys[slot];
      if (key !== undefined && after !== undefined) entries.push([key, after]);
    });
    return entries;
  }

  /** What differs from an earlier map; costs as much as that where both come from one another. */
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

  /** The slots to take a new key: these, or none yet when most of these belong to keys that are gone. */
  #roomy(): Slots {
    const isRoomy = this.#slots.keys.length <= 2 * this.size + SPARE_SLOTS;
    return isRoomy ? this.#slots : { byKey: new Map(), keys: [] };
  }

  #rebuilt(slots: Slots): SharedMap<V> {
    return this.entries().reduce((map, [key, value]) => map.with(key, value), new SharedMap<V>(slots, EMPTY_TREE, 0));
  }
}
