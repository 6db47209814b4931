import { EngineError } from "@switchyard/contracts";

/** Levels a board value may have. */
export const MAX_VALUE_DEPTH = 64;
/** Parts a board value may have, shared ones counted as often as they would be written. */
const MAX_VALUE_PARTS = 10_000_000;

/** How deep a frozen copy is, and how many parts it has. */
interface Extent {
  readonly depth: number;
  readonly parts: number;
}

interface Copied extends Extent {
  readonly copy: unknown;
}

interface Copying {
  /** Name of the variable or channel, for messages. */
  readonly key: string;
  /** Containers that are being copied right now; meeting one again is a cycle. */
  readonly open: Set<object>;
  /** Containers that were copied; each is copied once, however often it occurs. */
  readonly done: Map<object, Copied>;
}

// Containers made here. Giving one back, alone or inside of something new, costs no second copy.
const frozenByBoard = new WeakMap<object, Extent>();
// Containers with dates or bytes somewhere inside, which cannot be frozen and are copied when they are read.
const holdsChangeable = new WeakSet<object>();

function refuse(key: string, problem: string): EngineError {
  return new EngineError("board.invalid_value", { key, problem });
}

/** Whether a held value is, or holds somewhere, dates or bytes. */
export function holdsChangeables(value: unknown): boolean {
  return isChangeable(value) || (isObject(value) && holdsChangeable.has(value));
}

function isChangeable(value: unknown): value is Date | Uint8Array {
  return value instanceof Date || value instanceof Uint8Array;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Also plain objects of another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function hasClone(value: object): value is { clone(): unknown } {
  return "clone" in value && typeof value.clone === "function";
}

function copyChangeable(value: Date | Uint8Array, key: string): Date | Uint8Array {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Number.isNaN(value.getTime())) throw refuse(key, "a date is invalid");
  return new Date(value);
}

function copyPrimitive(value: unknown, key: string): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refuse(key, `${value} is no number that JSON can carry`);
      // Minus zero does not survive JSON.
      return value === 0 ? 0 : value;
    case "undefined":
      throw refuse(key, "undefined is no value; delete the variable or leave the field out");
    default:
      throw refuse(key, `a ${typeof value} is no plain data`);
  }
}

/** The items of a container in order; fields that are undefined are left out, as JSON leaves them out. */
function entriesOf(container: object, key: string): [string, unknown][] {
  if (!Array.isArray(container)) return Object.entries(container).filter(([, item]) => item !== undefined);
  // Counted rather than listed: a hole is undefined and is refused as such.
  return Array.from({ length: container.length }, (_, index) => {
    if (!Object.hasOwn(container, index)) throw refuse(key, "a list has holes");
    return [String(index), container[index]];
  });
}

function build(container: object, entries: readonly (readonly [string, unknown])[]): object {
  // `fromEntries` makes own fields of all names, `__proto__` included.
  return Object.freeze(Array.isArray(container) ? entries.map(([, item]) => item) : Object.fromEntries(entries));
}

function copyContainer(container: object, level: number, copying: Copying): Copied {
  copying.open.add(container);
  let depth = 0;
  let parts = 1;
  let changeable = false;
  const entries = entriesOf(container, copying.key).map(([name, item]): [string, unknown] => {
    const copied = copyValue(item, level + 1, copying);
    depth = Math.max(depth, copied.depth);
    parts += copied.parts;
    changeable ||= holdsChangeables(copied.copy);
    return [name, copied.copy];
  });
  copying.open.delete(container);
  if (parts > MAX_VALUE_PARTS) throw refuse(copying.key, `it has more than ${MAX_VALUE_PARTS} parts`);
  const copy = build(container, entries);
  const extent = { depth: depth + 1, parts };
  frozenByBoard.set(copy, extent);
  if (changeable) holdsChangeable.add(copy);
  return { copy, ...extent };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function copyObject(value: object, level: number, copying: Copying): Copied {
  if (copying.open.has(value)) throw refuse(copying.key, "it contains itself");
  if (hasClone(value)) {
    copying.open.add(value);
    const copied = copyValue(value.clone(), level + 1, copying);
    copying.open.delete(value);
    return copied;
  }
  if (!Array.isArray(value) && !isPlainObject(value)) {
    throw refuse(copying.key, `a ${value.constructor?.name ?? "foreign object"} is no plain data and has no clone()`);
  }
  return copyContainer(value, level, copying);
}

function knownExtent(value: object, copying: Copying): Copied | undefined {
  const extent = frozenByBoard.get(value);
  return extent === undefined ? copying.done.get(value) : { copy: value, ...extent };
}

function copyValue(value: unknown, level: number, copying: Copying): Copied {
  if (value === null) return { copy: null, depth: 0, parts: 1 };
  if (typeof value !== "object") return { copy: copyPrimitive(value, copying.key), depth: 0, parts: 1 };
  if (isChangeable(value)) return { copy: copyChangeable(value, copying.key), depth: 0, parts: 1 };
  const known = knownExtent(value, copying);
  if (level + (known?.depth ?? 1) > MAX_VALUE_DEPTH) {
    throw refuse(
      copying.key,
      copying.open.has(value) ? "it contains itself" : `it is deeper than ${MAX_VALUE_DEPTH} levels`,
    );
  }
  if (known !== undefined) return known;
  const copied = copyObject(value, level, copying);
  copying.done.set(value, copied);
  return copied;
}

/**
 * A deeply frozen copy of a value that a board may hold: plain data, dates, bytes, and what `clone()` gives. Parts
 * that a board has frozen before are taken over as they are. Throws `board.invalid_value`. engine: Board.SetVar.
 */
export function freezeCopy<T>(value: T, key: string): T;
export function freezeCopy(value: unknown, key: string): unknown {
  return copyValue(value, 0, { key, open: new Set(), done: new Map() }).copy;
}

/** A held value as it may be handed out: dates and bytes, which cannot be frozen, are copied. */
export function handOut<T>(value: T): T;
export function handOut(value: unknown): unknown {
  if (isChangeable(value)) return copyChangeable(value, "");
  if (!isObject(value) || !holdsChangeable.has(value)) return value;
  return build(
    value,
    Object.entries(value).map(([name, item]) => [name, handOut(item)]),
  );
}
