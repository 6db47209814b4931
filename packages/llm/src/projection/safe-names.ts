import { createHash } from "node:crypto";
import type { JSONObject, JSONValue } from "@ai-sdk/provider";
import { isRecord, jsonValue } from "../failure/error-info.ts";

/** Maximum length of a name that APIs accept. */
const MAX_CHARS = 64;
const HASH_CHARS = 8;

/** A schema with renamed properties, and the reverse mapping. */
export interface SafeNames {
  /** Schema with names that the API accepts. */
  readonly schema: JSONObject;
  /** Restores the original names in the JSON arguments of a call. */
  readonly restore: (args: string) => string;
}

/** Returns a name that the API accepts: the name itself, or a similar name that is not used yet. */
export function safeName(name: string, { isSafe, taken }: { isSafe: RegExp; taken: ReadonlySet<string> }): string {
  if (isSafe.test(name)) return name;
  const plain = name.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^[^a-zA-Z_]/, "_$&");
  const short = plain.slice(0, MAX_CHARS);
  if (short === plain && plain !== "" && plain !== "_" && isSafe.test(plain) && !taken.has(plain)) return plain;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_CHARS);
  return `${plain.slice(0, MAX_CHARS - HASH_CHARS - 1) || "p"}_${hash}`;
}

/** Renames properties of one JSON Schema whose names the API does not accept. */
class NameTable {
  readonly #isSafe: RegExp;
  readonly #originals = new WeakMap<object, ReadonlyMap<string, string>>();
  hasRenamed = false;

  constructor(isSafe: RegExp) {
    this.#isSafe = isSafe;
  }

  rename(value: JSONValue | undefined): JSONValue | undefined {
    if (Array.isArray(value)) return value.map((item) => this.rename(item) ?? null);
    if (!isRecord(value)) return value;
    const renamed: JSONObject = {};
    for (const [key, entry] of Object.entries(value)) {
      if (key === "required") renamed[key] ??= entry;
      else if (key === "enum" || key === "default") renamed[key] = entry;
      else if (key === "properties" && isRecord(entry)) this.#renameProperties(renamed, value, entry);
      else renamed[key] = this.rename(entry);
    }
    return renamed;
  }

  #renameProperties(renamed: JSONObject, schema: JSONObject, properties: JSONObject): void {
    const taken = new Set(Object.keys(properties));
    const names = new Map(
      Object.keys(properties).map((name) => {
        const safe = safeName(name, { isSafe: this.#isSafe, taken });
        taken.add(safe);
        return [name, safe] as const;
      }),
    );
    const entries = Object.entries(properties).map(([name, entry]) => [names.get(name) ?? name, this.rename(entry)]);
    renamed["properties"] = Object.fromEntries(entries);
    const changed = Array.from(names).filter(([name, safe]) => name !== safe);
    if (changed.length === 0) return;
    this.hasRenamed = true;
    this.#originals.set(renamed, new Map(changed.map(([name, safe]) => [safe, name])));
    const { required } = schema;
    if (Array.isArray(required)) renamed["required"] = required.map((name) => names.get(String(name)) ?? name);
  }

  restore(value: unknown, schema: unknown): unknown {
    if (!isRecord(schema)) return value;
    const branches: readonly unknown[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
    const withNames = this.#restoreProperties(value, schema);
    return branches.reduce((restored, branch) => this.restore(restored, branch), withNames);
  }

  #restoreProperties(value: unknown, schema: Readonly<Record<string, unknown>>): unknown {
    const { properties, items, additionalProperties } = schema;
    if (Array.isArray(value)) return value.map((item) => this.restore(item, items));
    if (!isRecord(value)) return value;
    const originals = this.#originals.get(schema);
    const entries = Object.entries(value).map(([name, entry]) => {
      const child = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return [originals?.get(name) ?? name, this.restore(entry, child)] as const;
    });
    return Object.fromEntries(entries);
  }
}

/** Renames the properties of a schema to names that an API accepts. */
export function withSafeNames(schema: JSONObject, isSafe: RegExp): SafeNames {
  const table = new NameTable(isSafe);
  const renamed = table.rename(schema);
  if (!table.hasRenamed || !isRecord(renamed)) return { schema, restore: (args) => args };
  return {
    schema: renamed,
    restore: (args) => {
      const value = jsonValue(args);
      return isRecord(value) ? JSON.stringify(table.restore(value, renamed)) : args;
    },
  };
}
