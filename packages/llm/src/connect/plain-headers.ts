/** HTTP headers in any form that the constructor of `Headers` accepts. */
type HeadersInput = NonNullable<RequestInit["headers"]>;

function isIterable(input: HeadersInput): input is Extract<HeadersInput, Iterable<unknown>> {
  return Symbol.iterator in input;
}

/**
 * Replacement for `Headers`. When a program creates its first `Headers`, Node loads its whole `fetch` implementation,
 * which takes longer than a short response. Names and values are not validated here; sending rejects invalid ones.
 */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string[]>();

  constructor(input: HeadersInput = []) {
    for (const [name = "", value] of isIterable(input) ? input : Object.entries(input)) {
      this.append(name, String(value));
    }
  }

  append(name: string, value: string): void {
    const values = this.#values.get(name.toLowerCase());
    if (values === undefined) this.set(name, value);
    else values.push(value.trim());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), [value.trim()]);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase())?.join(", ") ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get("set-cookie") ?? [])];
  }

  forEach(act: (value: string, name: string, headers: Headers) => void, thisArg?: unknown): void {
    for (const [name, value] of this) act.call(thisArg, value, name, this);
  }

  *keys(): Generator<string, undefined> {
    for (const [name] of this) yield name;
  }

  *values(): Generator<string, undefined> {
    for (const [, value] of this) yield value;
  }

  *entries(): Generator<[string, string], undefined> {
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name) ?? [];
      // As in `Headers`, `set-cookie` values are not joined, because joined cookies could not be separated again.
      for (const value of name === "set-cookie" ? values : [values.join(", ")]) yield [name, value];
    }
  }

  [Symbol.iterator](): Generator<[string, string], undefined> {
    return this.entries();
  }
}
