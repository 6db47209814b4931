/** A JSON object in a schema. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** Returns true if a value is an object, not an array. */
export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if a value can be a schema. */
export function isSchemaValue(value: unknown): boolean {
  return typeof value === "boolean" || isSchemaObject(value);
}

/** Keywords whose value is a schema, a list of schemas, or a map of schemas by name. */
export const KEYWORD_VALUES: ReadonlyMap<string, "one" | "list" | "map"> = new Map<string, "one" | "list" | "map">([
  ...["items", "additionalItems", "unevaluatedItems", "contains", "not", "if", "then", "else"].map(
    (key) => [key, "one"] as const,
  ),
  ...["additionalProperties", "unevaluatedProperties", "propertyNames"].map((key) => [key, "one"] as const),
  ...["allOf", "anyOf", "oneOf", "prefixItems"].map((key) => [key, "list"] as const),
  ...["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"].map(
    (key) => [key, "map"] as const,
  ),
]);

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Validity rules for the values of simple JSON Schema keywords. */
export const VALUE_RULES: ReadonlyMap<string, (value: unknown) => boolean> = new Map<
  string,
  (value: unknown) => boolean
>([
  [
    "type",
    (value) => TYPES.has(value) || (Array.isArray(value) && value.length > 0 && value.every((item) => TYPES.has(item))),
  ],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ["required", isTexts],
  ["dependentRequired", (value) => isSchemaObject(value) && Object.values(value).every(isTexts)],
  ["pattern", isText],
  ["format", isText],
  ["uniqueItems", (value) => typeof value === "boolean"],
  ["nullable", (value) => typeof value === "boolean"],
  ["multipleOf", (value) => isNumber(value) && Number(value) > 0],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((key) => [key, isNumber] as const),
  ...[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
  ].map((key) => [key, isCount] as const),
]);
