import { capText, cleanText } from "../text/clean-text.ts";

/** Maximum length of a schema as JSON, in characters. A tool with a longer schema is not offered. */
const MAX_SCHEMA_CHARS = 64 * 1024;
/** Maximum nesting depth of a tool's schema. A tool with a deeper schema is not offered. */
const MAX_DEPTH = 64;
/** Maximum length of a description in a schema, in characters. Longer descriptions are truncated. */
const MAX_TEXT_CHARS = 2_048;

/** A usable schema, or the reason why there is none. */
export type CleanSchema =
  | { readonly kind: "schema"; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: "refused"; readonly problem: string };

/** Returns whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Type names of JSON Schema. Some servers write type names in upper case, like Gemini's API. */
const TYPES: ReadonlySet<string> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** JSON Schema keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

function typeName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typeName);
  const name = typeof value === "string" ? value.toLowerCase() : "";
  return TYPES.has(name) ? name : value;
}

function refused(problem: string): CleanSchema {
  return { kind: "refused", problem };
}

/** Returns the schema with clean descriptions and type names. Throws if the schema is nested too deeply. */
function cleanValue(value: unknown, depth: number, isData = false): unknown {
  if (depth > MAX_DEPTH) throw new RangeError("too deep");
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1, isData));
  if (!isRecord(value)) return value;
  // `Object.fromEntries` also handles a key `__proto__`, which an assignment would treat as the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isText = (key === "description" || key === "title") && typeof item === "string";
      if (isText) return [key, capText(cleanText(item), MAX_TEXT_CHARS)];
      const named = key === "type" && !isData && !isRecord(item) ? typeName(item) : item;
      return [key, cleanValue(named, depth + 1, isData || DATA.has(key))];
    }),
  );
}

/** Returns true if a schema allows an object as its root, even if `type` is missing or a list of types. */
function isObjectSchema({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}

/**
 * Returns true if a schema says nothing about the arguments. An empty array counts too, because some languages
 * serialise an empty object as an empty array.
 */
function isUnsaid(schema: unknown): boolean {
  return schema === undefined || schema === null || schema === true || (Array.isArray(schema) && schema.length === 0);
}

/** Converts a tool's schema for models: its root is an object, size and depth are limited, and texts are clean. */
export function cleanSchema(schema: unknown): CleanSchema {
  if (isUnsaid(schema)) return { kind: "schema", schema: { type: "object", properties: {} } };
  if (!isRecord(schema) || !isObjectSchema({ type: typeName(schema["type"]) }))
    return refused("the root of its schema is not an object");
  try {
    if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) {
      return refused(`its schema is longer than ${MAX_SCHEMA_CHARS} characters`);
    }
    const clean = cleanValue(schema, 0);
    return isRecord(clean) ? { kind: "schema", schema: { ...clean, type: "object" } } : refused("it has no schema");
  } catch {
    return refused(`its schema has more than ${MAX_DEPTH} levels`);
  }
}
