import { isSchemaObject, type SchemaObject } from "./schema-keywords.ts";

/** Keywords whose value is a map of schemas by name. The names in the map are not keywords. */
const MAPS: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"],
]);
/** Keywords whose value is plain data that contains no schema. */
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "example"]);

const LIMITS: ReadonlyMap<string, string> = new Map([
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
]);

/**
 * Converts an exclusive limit of draft-04, a flag next to a limit, to the limit itself. `undefined` if the flag is
 * false.
 */
function exclusiveEntryOf(key: string, limit: string, schema: SchemaObject): readonly [string, unknown] | undefined {
  if (schema[key] === false) return undefined;
  return [key, schema[key] === true && Object.hasOwn(schema, limit) ? schema[limit] : schema[key]];
}

/** Returns a keyword of JSON Schema in the syntax of the current JSON Schema draft. */
function entryOf(key: string, value: unknown, schema: SchemaObject): readonly [string, unknown] | undefined {
  const limit = LIMITS.get(key);
  if (limit !== undefined) return exclusiveEntryOf(key, limit, schema);
  // OpenAPI's `nullable` has a meaning only next to `type`. Without it, the keyword is removed.
  if (key === "nullable" && !Object.hasOwn(schema, "type")) return undefined;
  if (!Array.isArray(schema["items"]) || Object.hasOwn(schema, "prefixItems")) return [key, value];
  if (key === "items") return ["prefixItems", value];
  return key === "additionalItems" ? ["items", value] : [key, value];
}

function ofMap(schemas: unknown, change: (schema: unknown) => unknown): unknown {
  if (!isSchemaObject(schemas)) return schemas;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
}

/**
 * Converts common keywords of older drafts and OpenAPI to draft 2020-12, for a schema that does not declare its draft:
 * lists of `items` for tuples, flags for exclusive limits, and `nullable` without a type.
 */
export function toCurrentDraft(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toCurrentDraft);
  if (!isSchemaObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]) => {
    const entry = entryOf(key, value, schema);
    if (entry === undefined) return [];
    const [name, kept] = entry;
    if (VALUES.has(key)) return [[name, kept]];
    return [[name, MAPS.has(key) ? ofMap(kept, toCurrentDraft) : toCurrentDraft(kept)]];
  });
  return Object.fromEntries(entries);
}
