import type { SchemaObject } from "./schema-keywords.ts";

/** Maximum number of entries. */
const MAX_ENTRIES = 512;
/** Maximum total length of all keys, in UTF-16 code units. */
const MAX_CHARS = 8 * 1024 * 1024;

/** Cached value, or the error with which its creation failed. */
type Entry<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Cache of one value for each schema content, because sessions define the same tools repeatedly. Evicts the least
 * recently used entries when full.
 */
export class ContentCache<T> {
  readonly #make: (schema: SchemaObject) => T;
  readonly #entries = new Map<string, Entry<T>>();
  #chars = 0;

  /** Creates an empty cache. `make` creates the value for a schema. */
  constructor(make: (schema: SchemaObject) => T) {
    this.#make = make;
  }

  /** Returns the value for a schema, and creates it if necessary. Throws the error with which the creation failed. */
  get(schema: SchemaObject): T {
    const text = contentOf(schema);
    const entry = text === undefined ? this.#entryOf(schema) : this.#known(text);
    if ("error" in entry) throw entry.error;
    return entry.value;
  }

  #known(text: string): Entry<T> {
    const known = this.#entries.get(text);
    if (known !== undefined) {
      this.#entries.delete(text);
      this.#entries.set(text, known);
      return known;
    }
    // The value is created from a copy of the schema, because the caller may change the schema later.
    const entry = this.#entryOf(JSON.parse(text));
    this.#entries.set(text, entry);
    this.#chars += text.length;
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES && this.#chars <= MAX_CHARS) break;
      this.#entries.delete(oldest);
      this.#chars -= oldest.length;
    }
    return entry;
  }

  #entryOf(schema: SchemaObject): Entry<T> {
    try {
      return { value: this.#make(schema) };
    } catch (error) {
      return { error };
    }
  }
}

/** Returns the schema as JSON; `undefined` if it cannot be serialised. */
function contentOf(schema: SchemaObject): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}
