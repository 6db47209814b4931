import { decodeError } from "./decode-error.ts";
import type { Answer, Call, Encoded, Member, MemberName } from "./encoded.ts";
import { decodeName } from "./member-name.ts";
import type { ObjectTable } from "./object-table.ts";

type Of<Kind extends string> = Extract<Encoded, { readonly is: Kind }>;

/** Functions that settle a promise. */
export interface Settler {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Context for decoding a value. */
export interface DecodeContext {
  readonly table: ObjectTable;
  /** Calls a function of the other side with local values. Returns the caller's result. */
  readonly call: (call: Omit<Call, "args">, args: readonly unknown[]) => unknown;
  /** Reads a field of an object of the other side. */
  readonly read: (id: number, name: MemberName) => unknown;
  /** Registers the settlement of a remote promise. */
  readonly expect: (id: number, settler: Settler) => void;
  /** Registers the abort of a remote signal. */
  readonly hear: (id: number, controller: AbortController) => void;
}

/** Decodes values received from the other side. */
export class ValueDecoder {
  readonly #context: DecodeContext;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  decode(encoded: Encoded): unknown {
    if (typeof encoded !== "object" || encoded === null) return encoded;
    switch (encoded.is) {
      case "symbol":
        return decodeName(encoded.name);
      case "copy":
        return encoded.value;
      case "list":
        return encoded.items.map((item) => this.decode(item));
      case "set":
        return new Set(encoded.items.map((item) => this.decode(item)));
      case "map":
        return new Map(encoded.entries.map(([key, value]) => [this.decode(key), this.decode(value)]));
      case "record":
        return this.#record(encoded);
      default:
        return this.#identified(encoded);
    }
  }

  /** Returns the value of an answer, or throws its error. */
  valueOf({ isOk, value }: Answer): unknown {
    const decoded = this.decode(value);
    if (!isOk) throw decoded;
    return decoded;
  }

  #record({ isBare, entries }: Of<"record">): object {
    const record: object = isBare ? Object.create(null) : {};
    for (const [name, value] of entries) define(record, name, { value: this.decode(value), writable: true });
    return record;
  }

  #identified(encoded: Of<"error" | "signal" | "promise" | "function" | "object" | "yours">): unknown {
    const { table, call } = this.#context;
    if (encoded.is === "yours") return this.#own(encoded);
    return table.foreign(encoded.id, () => {
      switch (encoded.is) {
        case "error":
          return decodeError(encoded, (value) => this.decode(value));
        case "signal":
          return this.#signal(encoded);
        case "promise":
          return new Promise((resolve, reject) => this.#context.expect(encoded.id, { resolve, reject }));
        case "function":
          return (...args: unknown[]) => call({ id: encoded.id }, args);
        case "object":
          return this.#object(encoded);
      }
    });
  }

  #own({ id, method }: Of<"yours">): unknown {
    const own = this.#context.table.own(id);
    if (method === undefined) return own;
    const value: unknown = Reflect.get(own, decodeName(method));
    return typeof value === "function" ? (...args: unknown[]) => Reflect.apply(value, own, args) : value;
  }

  #signal({ id, isAborted, reason }: Of<"signal">): AbortSignal {
    const controller = new AbortController();
    if (isAborted) controller.abort(this.decode(reason));
    else this.#context.hear(id, controller);
    return controller.signal;
  }

  #object({ id, members }: Of<"object">): object {
    const object = {};
    for (const member of members) define(object, decodeName(member.name), this.#descriptor(id, member));
    return object;
  }

  #descriptor(id: number, member: Member): PropertyDescriptor {
    const { table, call, read } = this.#context;
    const { name } = member;
    switch (member.is) {
      case "method": {
        const method = (...args: unknown[]): unknown => call({ id, method: name }, args);
        return { value: table.setOrigin(method, { id, method: name }), enumerable: member.isOwn };
      }
      case "value":
        return { value: this.decode(member.value) };
      case "field": {
        let known: { readonly value: unknown } | undefined;
        const get = (): unknown => {
          if (known !== undefined) return known.value;
          const value = read(id, name);
          if (!member.isLive) known = { value };
          return value;
        };
        return { get, enumerable: member.isOwn };
      }
    }
  }
}

/** Defines a property like an assignment, whatever its name. */
function define(object: object, name: string | symbol, descriptor: PropertyDescriptor): void {
  Object.defineProperty(object, name, { enumerable: true, configurable: true, ...descriptor });
}
