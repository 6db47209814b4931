import { isLinearPattern } from "./linear-regexp.ts";
import { isSchemaObject, isSchemaValue, KEYWORD_VALUES, type SchemaObject, VALUE_RULES } from "./schema-keywords.ts";

/** A schema without keywords that cannot be checked, and the list of the removed keywords. */
export interface CheckableSchema {
  /** Reduced schema. It accepts every value that the original schema accepts. */
  readonly schema: unknown;
  /** Each removed keyword, with its location and the reason. */
  readonly ignored: readonly string[];
}

/** State of one pass over a schema. */
interface Pass {
  readonly root: unknown;
  readonly ignored: string[];
  /** True if a reference possibly leads to a schema from which keywords were removed. */
  readonly hasLooseReferences: boolean;
}

/** Returns true if the document contains a schema with this anchor. */
function hasAnchor(name: string, root: unknown): boolean {
  const text = JSON.stringify(root);
  return ["$anchor", "$dynamicAnchor"].some((key) => text.includes(`"${key}":${JSON.stringify(name)}`));
}

/** Returns true if a reference within the document resolves to a schema. */
function isResolvable(reference: unknown, root: unknown): boolean {
  if (typeof reference !== "string") return false;
  if (reference === "#") return true;
  if (!reference.startsWith("#/")) return reference.startsWith("#") && hasAnchor(reference.slice(1), root);
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    if (typeof target !== "object" || target === null) return false;
    const key = unescapeToken(token);
    if (key === undefined || !Object.hasOwn(target, key)) return false;
    target = Reflect.get(target, key);
  }
  return isSchemaValue(target);
}

function unescapeToken(token: string): string | undefined {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}

/** Returns true if a part of a schema contains a reference. */
function hasReference(value: unknown): boolean {
  return /"\$(?:ref|dynamicRef|recursiveRef)":/.test(JSON.stringify(value) ?? "");
}

class SchemaCleaner {
  readonly #pass: Pass;

  constructor(pass: Pass) {
    this.#pass = pass;
  }

  /** Returns a schema without unsupported keywords. For an invalid schema, returns one that accepts everything. */
  schema(value: unknown, place: string): unknown {
    if (typeof value === "boolean") return value;
    if (!isSchemaObject(value)) {
      this.#ignore(place, "", "it is not a schema");
      return true;
    }
    const kept: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      const cleaned = this.#keyword(key, entry, place);
      // Uses `defineProperty`, because assigning to the key `__proto__` would set the prototype.
      if (cleaned !== undefined)
        Object.defineProperty(kept, key, { value: cleaned, enumerable: true, writable: true, configurable: true });
    }
    return this.#consistent(kept, value);
  }

  #ignore(place: string, key: string, problem: string): void {
    const where = key === "" ? place : `${place}/${key}`;
    this.#pass.ignored.push(`${where === "" ? "the root" : where}: ${problem}`);
  }

  /** Returns a keyword's value without unsupported keywords; `undefined` if the keyword is removed. */
  #keyword(key: string, value: unknown, place: string): unknown {
    if (key === "$ref" || key === "$dynamicRef") {
      if (isResolvable(value, this.#pass.root)) return value;
      this.#ignore(place, key, `${JSON.stringify(value)} leads nowhere`);
      return undefined;
    }
    const rule = VALUE_RULES.get(key);
    if (rule !== undefined && !rule(value)) {
      this.#ignore(place, key, "its value is invalid");
      return undefined;
    }
    if (key === "pattern" && !isLinearPattern(value)) {
      this.#ignore(place, key, `${JSON.stringify(value)} cannot be checked in linear time`);
      return undefined;
    }
    const kind = KEYWORD_VALUES.get(key);
    if (kind === undefined) return value;
    const within = `${place}/${key}`;
    if (kind === "map") return this.#map(key, value, within);
    if (kind === "list") return this.#list(value, within);
    return this.#single(key, value, within);
  }

  #single(key: string, value: unknown, within: string): unknown {
    // In older drafts `items` may be a list, and `dependencies` may hold lists of names.
    if (Array.isArray(value) && key === "items")
      return value.map((item, index) => this.schema(item, `${within}/${index}`));
    const before = this.#pass.ignored.length;
    const cleaned = this.schema(value, within);
    const isTurned = key === "not" || key === "if";
    return isTurned && this.#isLoose(value, before) ? undefined : cleaned;
  }

  #map(key: string, value: unknown, within: string): unknown {
    if (!isSchemaObject(value)) {
      this.#ignore(within, "", "it is not a map of schemas");
      return undefined;
    }
    const entries = Object.entries(value).flatMap(([name, entry]) => {
      if (key === "patternProperties" && !isLinearPattern(name)) {
        this.#ignore(within, "", `${JSON.stringify(name)} cannot be checked in linear time`);
        return [];
      }
      if (key === "dependencies" && Array.isArray(entry)) return [[name, entry] as const];
      return [[name, this.schema(entry, `${within}/${name}`)] as const];
    });
    return Object.fromEntries(entries);
  }

  #list(value: unknown, within: string): unknown {
    if (!Array.isArray(value) || value.length === 0) {
      this.#ignore(within, "", "it is not a list of schemas");
      return undefined;
    }
    return value.map((item, index) => this.schema(item, `${within}/${index}`));
  }

  /** Returns true if the reduced value of a keyword may accept more than the original. */
  #isLoose(value: unknown, ignoredBefore: number): boolean {
    return this.#pass.ignored.length > ignoredBefore || (this.#pass.hasLooseReferences && hasReference(value));
  }

  /** Removes keywords that would reject more values because another keyword was removed. */
  #consistent(kept: Record<string, unknown>, given: SchemaObject): unknown {
    if ("if" in given && !("if" in kept)) {
      delete kept["then"];
      delete kept["else"];
    }
    const isReferenceLoose = this.#pass.hasLooseReferences && hasReference([given["oneOf"], given["contains"]]);
    const isOneOfLoose = JSON.stringify(kept["oneOf"]) !== JSON.stringify(given["oneOf"]);
    if ("oneOf" in kept && (isOneOfLoose || isReferenceLoose)) {
      kept["allOf"] = [...(Array.isArray(kept["allOf"]) ? kept["allOf"] : []), { anyOf: kept["oneOf"] }];
      delete kept["oneOf"];
    }
    const isContainsLoose = JSON.stringify(kept["contains"]) !== JSON.stringify(given["contains"]);
    if (isContainsLoose || isReferenceLoose) delete kept["maxContains"];
    const count = (value: unknown): number => (isSchemaObject(value) ? Object.keys(value).length : 0);
    if (count(kept["patternProperties"]) !== count(given["patternProperties"])) delete kept["additionalProperties"];
    if (Object.keys(kept).length !== Object.keys(given).length || this.#pass.hasLooseReferences) {
      delete kept["unevaluatedProperties"];
      delete kept["unevaluatedItems"];
    }
    return kept;
  }
}

function clean(schema: unknown, hasLooseReferences: boolean): CheckableSchema {
  const ignored: string[] = [];
  const cleaned = new SchemaCleaner({ root: schema, ignored, hasLooseReferences }).schema(schema, "");
  return { schema: cleaned, ignored };
}

/**
 * Removes keywords that cannot be checked: patterns that need more than linear time, unresolvable references, and
 * keywords with invalid values. The remaining schema accepts every value that the original schema accepts.
 */
export function checkableSchema(schema: unknown): CheckableSchema {
  const first = clean(schema, false);
  // Only the first pass shows whether a reference leads to a schema from which keywords were removed.
  return first.ignored.length > 0 && hasReference(schema) ? clean(schema, true) : first;
}
