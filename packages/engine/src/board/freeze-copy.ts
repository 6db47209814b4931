import { EngineError, messageOf } from "@switchyard/contracts";
import { createNotes } from "./create-notes.ts";

/** Levels a board value may have. */
export const MAX_VALUE_DEPTH = 64;
/** Parts a board value may have, shared ones counted as often as they would be written. */
const MAX_VALUE_PARTS = 10_000_000;

/** What is known of a frozen container. */
interface Extent {
  /** Levels of containers, itself included. */
  readonly depth: number;
  /** Values in it at every level, itself included. */
  readonly parts: number;
  /** Whether dates or bytes are in it, which cannot be frozen and are copied when they are read. */
  readonly changeable: boolean;
}

// Containers made here. Giving one back, alone or inside of something new, costs no second copy.
const extents = createNotes<Extent>();

// Most containers are small and alike, and there are many of them: those share what is known of them.
const SHARED_PARTS = 64;
const sharedExtents = new Map<number, Extent>();

function extentOf(depth: number, parts: number, changeable: boolean): Extent {
  if (changeable || parts >= SHARED_PARTS) return { depth, parts, changeable };
  const key = depth * SHARED_PARTS + parts;
  let extent = sharedExtents.get(key);
  if (extent === undefined) {
    extent = { depth, parts, changeable };
    sharedExtents.set(key, extent);
  }
  return extent;
}

/** The error for a value that no board can hold. */
export function refusal(key: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("board.invalid_value", { key, problem }, { cause });
}

function isChangeable(value: unknown): value is Date | Uint8Array {
  return value instanceof Date || value instanceof Uint8Array;
}

/** Whether a value is an object of any kind. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether a value is a record: an object of no class, of this realm or another. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function isList(value: object): value is readonly unknown[] {
  return Array.isArray(value);
}

function hasClone(value: object): value is { clone(): unknown } {
  return "clone" in value && typeof value.clone === "function";
}

function copyChangeable(value: Date | Uint8Array): Date | Uint8Array {
  return value instanceof Uint8Array ? new Uint8Array(value) : new Date(value);
}

function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  // Assigned, this one name would set the prototype.
  if (name === "__proto__") Object.defineProperty(record, name, { value, enumerable: true });
  else record[name] = value;
}

/** A value that is no object, as it is kept. Throws when it is no plain data. */
function checked(value: unknown, key: string): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "object": // Nothing else than null comes here.
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refusal(key, `${value} is no number that JSON can carry`);
      // Minus zero does not survive JSON.
      return value === 0 ? 0 : value;
    case "undefined":
      throw refusal(key, "undefined is no value; delete the variable or leave the field out");
    default:
      throw refusal(key, `a ${typeof value} is no plain data`);
  }
}

/** One deep copy. The counters are those of the container that is being copied. */
class ValueCopy {
  readonly #key: string;
  // Levels that are round all of it.
  readonly #levels: number;
  // Containers round the value that is being copied; meeting one again is a cycle.
  readonly #open: object[] = [];
  // Each container is copied once, however often it occurs.
  #done: Map<object, object> | undefined;
  #depth = 0;
  #parts = 0;
  #changeable = false;

  constructor(key: string, levels: number) {
    this.#key = key;
    this.#levels = levels;
  }

  copy(value: unknown): unknown {
    if (!isObject(value)) {
      this.#parts += 1;
      return checked(value, this.#key);
    }
    const known = extents.of(value);
    if (known !== undefined) return this.#takeOver(value, known);
    if (!isChangeable(value)) return this.#copyObject(value);
    this.#parts += 1;
    this.#changeable = true;
    if (value instanceof Date && Number.isNaN(value.getTime())) throw refusal(this.#key, "a date is invalid");
    return copyChangeable(value);
  }

  #copyObject(value: object): unknown {
    const known = this.#done?.get(value);
    const extent = known === undefined ? undefined : extents.of(known);
    if (this.#open.includes(value)) throw refusal(this.#key, "it contains itself");
    if (extent !== undefined) return this.#takeOver(known, extent);
    this.#assertFits(1);
    if (hasClone(value)) return this.#copyClone(value);
    if (!isList(value) && !isPlainObject(value)) {
      throw refusal(
        this.#key,
        `its ${value.constructor?.name ?? "foreign object"} is no plain data and has no clone()`,
      );
    }
    return this.#copyContainer(value);
  }

  /** A container that was frozen before. */
  #takeOver(frozen: unknown, extent: Extent): unknown {
    this.#assertFits(extent.depth);
    this.#count(extent);
    return frozen;
  }

  #assertFits(depth: number): void {
    if (this.#levels + this.#open.length + depth > MAX_VALUE_DEPTH) {
      throw refusal(this.#key, `it is deeper than ${MAX_VALUE_DEPTH} levels`);
    }
  }

  #copyClone(value: { clone(): unknown }): unknown {
    this.#open.push(value);
    const copy = this.copy(value.clone());
    this.#open.pop();
    return copy;
  }

  #copyContainer(container: readonly unknown[] | Record<string, unknown>): object {
    // One by one: most values are copied before V8 compiles this, and until then a list of them is a list.
    const depth = this.#depth;
    const parts = this.#parts;
    const changeable = this.#changeable;
    this.#depth = 0;
    this.#parts = 1;
    this.#changeable = false;
    this.#open.push(container);
    const copy = isList(container) ? this.#copyList(container) : this.#copyFields(container);
    this.#open.pop();
    const extent = extentOf(this.#depth + 1, this.#parts, this.#changeable);
    extents.put(copy, extent);
    Object.freeze(copy);
    this.#done ??= new Map();
    this.#done.set(container, copy);
    this.#depth = depth;
    this.#parts = parts;
    this.#changeable = changeable;
    this.#count(extent);
    return copy;
  }

  #copyList(list: readonly unknown[]): readonly unknown[] {
    if (list.length > MAX_VALUE_PARTS) throw this.#tooLarge();
    // Spread, so that there is room for its items alone: a list that grows holds room for sixteen more. A hole becomes
    // undefined and is refused as that.
    const copy = [...list];
    for (let index = 0; index < copy.length; index += 1) copy[index] = this.copy(copy[index]);
    return copy;
  }

  #copyFields(container: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const name of Object.keys(container)) {
      const value = container[name];
      // Left out, as JSON leaves it out.
      if (value !== undefined) setField(copy, name, this.copy(value));
    }
    return copy;
  }

  /** Counts a container in with the one round it. */
  #count(extent: Extent): void {
    if (extent.depth > this.#depth) this.#depth = extent.depth;
    this.#parts += extent.parts;
    if (extent.changeable) this.#changeable = true;
    if (this.#parts > MAX_VALUE_PARTS) throw this.#tooLarge();
  }

  #tooLarge(): EngineError {
    return refusal(this.#key, `it has more than ${MAX_VALUE_PARTS} parts`);
  }
}

function freezeBelow(levels: number, value: unknown, key: string): unknown {
  if (!isObject(value)) return checked(value, key);
  try {
    return new ValueCopy(key, levels).copy(value);
  } catch (error) {
    // A getter, a proxy or `clone()` of the value's own.
    throw EngineError.is(error) ? error : refusal(key, `reading it fails: ${messageOf(error)}`, error);
  }
}

/**
 * A deeply frozen copy of a value that a board may hold: plain data, dates, bytes, and what `clone()` gives. Parts
 * that a board has frozen before are taken over as they are. Throws `board.invalid_value`. engine: Board.SetVar.
 */
export function freezeCopy<T>(value: T, key: string): T;
export function freezeCopy(value: unknown, key: string): unknown {
  return freezeBelow(0, value, key);
}

/** {@link freezeCopy} of an item, which has to fit into its list. */
export function freezeItem<T>(item: T, key: string): T;
export function freezeItem(item: unknown, key: string): unknown {
  return freezeBelow(1, item, key);
}

/** Whether a held value is, or holds somewhere, dates or bytes. */
export function holdsChangeables(value: unknown): boolean {
  return isChangeable(value) || (isObject(value) && extents.of(value)?.changeable === true);
}

/** A held value as it may be handed out: dates and bytes, which cannot be frozen, are copied. */
export function handOut<T>(value: T): T;
export function handOut(value: unknown): unknown {
  if (isChangeable(value)) return copyChangeable(value);
  if (!isObject(value) || !holdsChangeables(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => handOut(item)));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) setField(copy, name, handOut(item));
  return Object.freeze(copy);
}
