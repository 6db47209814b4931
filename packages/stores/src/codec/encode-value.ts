import { EngineError } from "@switchyard/contracts";

/** Name of the field that identifies the type of a value that JSON cannot express, such as a date. */
export const TAG = "$type";
/** Matches field names that could be confused with {@link TAG}. In the stored form, they get an additional `$`. */
export const TAG_LIKE: RegExp = /^\$+type$/;
/**
 * Maximum nesting depth of a stored record, including the values of a run's key-value state (board). Deeper data is
 * rejected.
 */
export const MAX_STORED_DEPTH = 128;

/** Returns true if a value is an object, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a field with any name. `__proto__` needs special handling, because an assignment would set the prototype. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  } else record[name] = value;
}

function refusal(key: string, problem: string): EngineError {
  return new EngineError("board.invalid_value", { key, problem });
}

/** Returns true if an object is plain data. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The last comparison also accepts plain objects of another realm (`vm` context), with another `Object.prototype`.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function encodeNumber(value: number, key: string): unknown {
  if (!Number.isFinite(value)) throw refusal(key, `JSON cannot represent the number ${value}`);
  return Object.is(value, -0) ? { [TAG]: "number", value: "-0" } : value;
}

function encodeList(list: readonly unknown[], key: string, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (item === undefined) throw refusal(key, "a list cannot contain undefined");
    const encoded = encodeAt(item, key, depth + 1);
    if (encoded !== item) copy ??= list.slice(0, index);
    copy?.push(encoded);
  }
  return copy ?? list;
}

function isTagLike(name: string): boolean {
  return name.startsWith("$") && TAG_LIKE.test(name);
}

/** Returns a copy of an object's fields that precede the field of the given name. */
function fieldsBefore(record: Record<string, unknown>, name: string): Record<string, unknown> {
  const entries = Object.entries(record);
  const before = entries.slice(
    0,
    entries.findIndex(([found]) => found === name),
  );
  return Object.fromEntries(before.filter(([, value]) => value !== undefined));
}

function encodeFields(record: Record<string, unknown>, key: string, depth: number): unknown {
  // The copy is created only when a field needs encoding, which is rare.
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(record)) {
    const value = record[name];
    // `undefined` fields are omitted, as in JSON.
    if (value === undefined) continue;
    const encoded = encodeAt(value, key, depth + 1);
    const isRenamed = isTagLike(name);
    if (encoded !== value || isRenamed) copy ??= fieldsBefore(record, name);
    if (copy !== undefined) setField(copy, isRenamed ? `$${name}` : name, encoded);
  }
  return copy ?? record;
}

function encodeAt(value: unknown, key: string, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return encodeNumber(value, key);
  if (typeof value !== "object") throw refusal(key, `a ${typeof value} is not plain data`);
  if (depth > MAX_STORED_DEPTH) throw refusal(key, `it is deeper than ${MAX_STORED_DEPTH} levels`);
  if (Array.isArray(value)) return encodeList(value, key, depth);
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { [TAG]: "bytes", value: bytes.toString("base64") };
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw refusal(key, "a date is invalid");
    return { [TAG]: "date", value: value.getTime() };
  }
  if (!isPlainObject(value)) throw refusal(key, `a ${value.constructor?.name ?? "foreign object"} is not plain data`);
  return encodeFields(value, key, depth);
}

/**
 * Encodes dates and bytes in plain data for JSON. Returns the same value if nothing needs encoding. Throws
 * `board.invalid_value` with the key for functions, cycles and excessive depth.
 */
export function encodeValue(value: unknown, key: string): unknown {
  return encodeAt(value, key, 0);
}

/** Encodes a value as JSON text. Throws like {@link encodeValue}. */
export function encodeText(value: unknown, key: string): string {
  return JSON.stringify(encodeValue(value, key));
}

/** Returns the JSON text `"name":value` of a field, given the JSON text of its value. */
export function fieldText(name: string, valueText: string): string {
  return `${JSON.stringify(isTagLike(name) ? `$${name}` : name)}:${valueText}`;
}
