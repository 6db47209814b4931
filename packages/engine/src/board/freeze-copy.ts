import { EngineError, messageOf } from "@switchyard/contracts";
import { createObjectMetadata } from "./create-object-metadata.ts";

/** Maximum nesting depth of a value that is stored on a board (shared run state). */
export const MAX_VALUE_DEPTH = 64;
/**
 * Maximum number of nested values within a value that is stored on a board (shared run state). A nested value that
 * occurs several times is counted as often as it would be serialised.
 */
const MAX_VALUE_PARTS = 10_000_000;

/** Size of a frozen container (object or array). */
interface Extent {
  /** Nesting depth, counting the container itself as one level. */
  readonly depth: number;
  /** Number of values at all levels, counting the container itself. */
  readonly parts: number;
  /** True if the value contains dates or bytes, which cannot be frozen and are therefore copied when they are read. */
  readonly changeable: boolean;
}

// Arrays and objects that this module has frozen. They are never copied again, not even as part of another value.
const extents = createObjectMetadata<Extent>();

// Small arrays and objects of equal size share one `Extent`, to save memory, because there are many of them.
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

/** Returns the error for a value that a board cannot store. */
export function invalidValue(key: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("board.invalid_value", { key, problem }, { cause });
}

function isChangeable(value: unknown): value is Date | Uint8Array {
  return value instanceof Date || value instanceof Uint8Array;
}

/** Returns true if a value is an object of any kind. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns true if a value is a plain object, of this realm or another. */
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
  // Assigning to `__proto__` would set the prototype.
  if (name === "__proto__") Object.defineProperty(record, name, { value, enumerable: true });
  else record[name] = value;
}

/** Returns a primitive value as it is stored. Throws if it is not plain data. */
function checked(value: unknown, key: string): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "object": // Nothing else than null comes here.
      return value;
    case "number":
      if (!Number.isFinite(value)) throw invalidValue(key, `JSON cannot represent the number ${value}`);
      // JSON cannot represent minus zero, so it becomes 0.
      return value === 0 ? 0 : value;
    case "undefined":
      throw invalidValue(key, "undefined cannot be stored; delete the variable or omit the field");
    default:
      throw invalidValue(key, `a ${typeof value} is not plain data`);
  }
}

/** Makes one deep copy of a value. The counters of size and depth refer to the container that is being copied. */
class ValueCopy {
  readonly #key: string;
  // Number of enclosing levels.
  readonly #levels: number;
  // Enclosing containers of the value that is being copied; meeting one again means a cycle.
  readonly #open: object[] = [];
  // Maps each original container to its copy. Each container is copied once, however often it occurs.
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
    if (value instanceof Date && Number.isNaN(value.getTime())) throw invalidValue(this.#key, "a date is invalid");
    return copyChangeable(value);
  }

  #copyObject(value: object): unknown {
    const known = this.#done?.get(value);
    const extent = known === undefined ? undefined : extents.of(known);
    if (this.#open.includes(value)) throw invalidValue(this.#key, "it contains itself");
    if (extent !== undefined) return this.#takeOver(known, extent);
    this.#assertFits(1);
    if (hasClone(value)) return this.#copyClone(value);
    if (!isList(value) && !isPlainObject(value)) {
      throw invalidValue(
        this.#key,
        `its ${value.constructor?.name ?? "foreign object"} is not plain data and has no clone()`,
      );
    }
    return this.#copyContainer(value);
  }

  /** Reuses a container that was frozen earlier: it is not copied, but its size is added to the counters. */
  #takeOver(frozen: unknown, extent: Extent): unknown {
    this.#assertFits(extent.depth);
    this.#count(extent);
    return frozen;
  }

  #assertFits(depth: number): void {
    if (this.#levels + this.#open.length + depth > MAX_VALUE_DEPTH) {
      throw invalidValue(this.#key, `it is deeper than ${MAX_VALUE_DEPTH} levels`);
    }
  }

  #copyClone(value: { clone(): unknown }): unknown {
    this.#open.push(value);
    const copy = this.copy(value.clone());
    this.#open.pop();
    return copy;
  }

  #copyContainer(container: readonly unknown[] | Record<string, unknown>): object {
    // The copy functions use loops, because most values are copied before V8 compiles the functions.
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
    // Spread avoids the unused capacity of a list that grows item by item.
    // A hole in a sparse array becomes `undefined` and is rejected.
    const copy = [...list];
    for (let index = 0; index < copy.length; index += 1) copy[index] = this.copy(copy[index]);
    return copy;
  }

  #copyFields(container: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const name of Object.keys(container)) {
      const value = container[name];
      // `undefined` fields are omitted, as in JSON.
      if (value !== undefined) setField(copy, name, this.copy(value));
    }
    return copy;
  }

  /** Adds the size of a container to the one that encloses it. */
  #count(extent: Extent): void {
    if (extent.depth > this.#depth) this.#depth = extent.depth;
    this.#parts += extent.parts;
    if (extent.changeable) this.#changeable = true;
    if (this.#parts > MAX_VALUE_PARTS) throw this.#tooLarge();
  }

  #tooLarge(): EngineError {
    return invalidValue(this.#key, `it has more than ${MAX_VALUE_PARTS} parts`);
  }
}

function freezeBelow(levels: number, value: unknown, key: string): unknown {
  if (!isObject(value)) return checked(value, key);
  try {
    return new ValueCopy(key, levels).copy(value);
  } catch (error) {
    // A getter, a proxy trap or the value's own `clone()` threw an error.
    throw EngineError.is(error) ? error : invalidValue(key, `reading it fails: ${messageOf(error)}`, error);
  }
}

/**
 * Returns a deeply frozen copy of a board value: plain data, dates, bytes, and results of `clone()`. Parts that a board
 * has frozen before are not copied. Throws `board.invalid_value`. See engine: Board.SetVar.
 */
export function freezeCopy<T>(value: T, key: string): T;
export function freezeCopy(value: unknown, key: string): unknown {
  return freezeBelow(0, value, key);
}

/** Like {@link freezeCopy}, but for an item of a list. The list itself counts as one more level of nesting. */
export function freezeItem<T>(item: T, key: string): T;
export function freezeItem(item: unknown, key: string): unknown {
  return freezeBelow(1, item, key);
}

/** Returns true if a stored value contains dates or bytes. */
export function containsMutableValues(value: unknown): boolean {
  return isChangeable(value) || (isObject(value) && extents.of(value)?.changeable === true);
}

/**
 * Returns a stored value, which the caller may store elsewhere. Dates and bytes, which cannot be frozen, are copied.
 */
export function copyForReader<T>(value: T): T;
export function copyForReader(value: unknown): unknown {
  if (isChangeable(value)) return copyChangeable(value);
  if (!isObject(value) || !containsMutableValues(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => copyForReader(item)));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) setField(copy, name, copyForReader(item));
  return Object.freeze(copy);
}
