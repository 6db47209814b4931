import type { Encoded, EncodedError, Member } from "./encoded.ts";
import { encodeName } from "./member-name.ts";
import type { ObjectTable } from "./object-table.ts";

/** Context for encoding a value. */
export interface EncodeContext {
  readonly table: ObjectTable;
  /** True if the other side can read fields on demand. */
  readonly otherSideAsks: boolean;
  /** Called for each promise and signal sent for the first time, to report its end to the other side. */
  readonly follow: (sent: Promise<unknown> | AbortSignal, id: number) => void;
}

const ERROR_FIELDS: readonly string[] = ["stack", "message", "name"];

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Returns whether an object is plain data, which can be copied. */
function isRecord(value: object): boolean {
  return isPlain(value) && !Object.values(Object.getOwnPropertyDescriptors(value)).some(isMethodOrAccessor);
}

function isMethodOrAccessor({ value, get }: PropertyDescriptor): boolean {
  return typeof value === "function" || get !== undefined;
}

function isCopied(value: object): boolean {
  return value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function isPrimitive(value: unknown): value is undefined | null | boolean | number | bigint | string {
  return value === null || !["symbol", "function", "object"].includes(typeof value);
}

function encodeSymbol(value: symbol): Encoded {
  const name = encodeName(value);
  if (name === undefined) throw new TypeError(`${String(value)} means nothing to the other side.`);
  return { is: "symbol", name };
}

/** Encodes values for the other side. */
export class ValueEncoder {
  readonly #context: EncodeContext;
  /** Data being copied, outermost first, to detect cycles. */
  readonly #open = new Set<object>();

  constructor(context: EncodeContext) {
    this.#context = context;
  }

  encode(value: unknown): Encoded {
    if (isPrimitive(value)) return value;
    if (typeof value === "symbol") return encodeSymbol(value);
    if (typeof value === "function") return this.#theirs(value) ?? this.#function(value);
    return this.#object(Object(value));
  }

  #function(value: object): Encoded {
    return { is: "function", id: this.#context.table.numberOf(value) };
  }

  #theirs(value: object): Encoded | undefined {
    const origin = this.#context.table.originOf(value);
    return origin === undefined ? undefined : { is: "yours", ...origin };
  }

  #object(value: object): Encoded {
    const theirs = this.#theirs(value);
    if (theirs !== undefined) return theirs;
    if (isCopied(value)) return { is: "copy", value };
    if (value instanceof Error || value instanceof DOMException) return this.#error(value);
    if (value instanceof AbortSignal) return this.#signal(value);
    if (value instanceof Promise) return { is: "promise", id: this.#follow(value) };
    return this.#data(value) ?? this.#reference(value);
  }

  #data(value: object): Encoded | undefined {
    if (this.#open.has(value)) return undefined;
    this.#open.add(value);
    try {
      if (Array.isArray(value)) return { is: "list", items: value.map((item) => this.encode(item)) };
      if (value instanceof Set) return { is: "set", items: [...value].map((item) => this.encode(item)) };
      if (value instanceof Map)
        return { is: "map", entries: [...value].map(([k, v]) => [this.encode(k), this.encode(v)]) };
      if (!isRecord(value)) return undefined;
      const entries = Object.entries(value).map(([name, field]) => [name, this.encode(field)] as const);
      return { is: "record", isBare: Object.getPrototypeOf(value) === null, entries };
    } finally {
      this.#open.delete(value);
    }
  }

  #follow(value: Promise<unknown> | AbortSignal): number {
    return this.#context.table.numberOf(value, (id) => this.#context.follow(value, id));
  }

  #signal(signal: AbortSignal): Encoded {
    return { is: "signal", id: this.#follow(signal), isAborted: signal.aborted, reason: this.encode(signal.reason) };
  }

  #error(error: Error): EncodedError {
    const { name, message, stack } = error;
    const fields = Object.getOwnPropertyNames(error)
      .filter((field) => !ERROR_FIELDS.includes(field))
      .map((field) => [field, this.encode(Reflect.get(error, field))] as const);
    return { is: "error", id: this.#context.table.numberOf(error), name, message, stack, fields };
  }

  #reference(object: object): Encoded {
    return { is: "object", id: this.#context.table.numberOf(object), members: this.#membersOf(object) };
  }

  /** Returns own and inherited members, except those of every object. */
  #membersOf(object: object): Member[] {
    const members = new Map<string | symbol, Member>();
    for (let at: object | null = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
      for (const name of Reflect.ownKeys(at)) {
        const member = name === "constructor" || members.has(name) ? undefined : this.#member(object, { at, name });
        if (member !== undefined) members.set(name, member);
      }
    }
    return [...members.values()];
  }

  #member(object: object, { at, name }: { at: object; name: string | symbol }): Member | undefined {
    const sent = encodeName(name);
    const descriptor = Reflect.getOwnPropertyDescriptor(at, name);
    if (sent === undefined || descriptor === undefined) return undefined;
    const isOwn = at === object && descriptor.enumerable === true;
    if (typeof descriptor.value === "function") return { name: sent, is: "method", isOwn };
    if (this.#context.otherSideAsks) return { name: sent, is: "field", isLive: descriptor.get !== undefined, isOwn };
    if (!isOwn) return undefined;
    return { name: sent, is: "value", value: this.encode(Reflect.get(object, name)) };
  }
}
