import { EngineError } from "@switchyard/contracts";

const MAX_DEPTH = 64;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function problemOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `JSON cannot represent the number ${value}`;
    default:
      return `a value of type ${typeof value} is not plain data`;
  }
}

function setField(record: object, name: string, value: unknown): void {
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
}

function copyOf(value: unknown, key: string, round: readonly object[]): unknown {
  const refuse = (problem: string): EngineError => new EngineError("board.invalid_value", { key, problem });
  if (!isObject(value)) {
    const problem = value === null ? undefined : problemOf(value);
    if (problem !== undefined) throw refuse(problem);
    return value;
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw refuse("a date is invalid");
    return new Date(value);
  }
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (round.includes(value)) throw refuse("it contains itself");
  if (round.length === MAX_DEPTH) throw refuse(`it is deeper than ${MAX_DEPTH} levels`);
  const inside = [...round, value];
  if ("clone" in value && typeof value.clone === "function") return copyOf(value.clone(), key, inside);
  if (Array.isArray(value)) return Object.freeze(Array.from(value, (item: unknown) => copyOf(item, key, inside)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) throw refuse("it is not plain data and has no clone()");
  const copy = {};
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) setField(copy, name, copyOf(item, key, inside));
  }
  return Object.freeze(copy);
}

/**
 * Returns a deep copy of a value on a board (the state of a run), frozen except for dates and bytes. Throws
 * `board.invalid_value`.
 */
export function plainCopy<T>(value: T, key: string): T;
export function plainCopy(value: unknown, key: string): unknown {
  return copyOf(value, key, []);
}
