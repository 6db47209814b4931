import { isRecord } from "../failure/error-info.ts";

/** Types of JSON Schema. */
export type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** A simplified schema: no references, no booleans, and no combinations except `anyOf`. */
export interface SchemaNode {
  /** Allowed types. `undefined`: any. */
  types?: readonly TypeName[] | undefined;
  /** Allowed values. `undefined`: any. */
  values?: readonly unknown[] | undefined;
  /** Properties by name. */
  properties?: Readonly<Record<string, SchemaNode>> | undefined;
  /** Names of required properties. */
  required?: readonly string[] | undefined;
  /** Additional properties. `false`: none are allowed. */
  others?: SchemaNode | false | undefined;
  /** Items of an array. */
  items?: SchemaNode | undefined;
  /** Alternatives, at least one of which must match. */
  anyOf?: readonly SchemaNode[] | undefined;
  /** Keywords with simple values. */
  keywords: Readonly<Record<string, unknown>>;
  /** Description for the model. */
  description?: string | undefined;
  /** Constraints that no API accepts, as text for the model. */
  notes: readonly string[];
}

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** Returns whether a value is the name of a type. */
export function isTypeName(value: unknown): value is TypeName {
  return TYPES.has(value);
}

/** Returns an open schema, which any value matches. */
export function openNode(...notes: readonly string[]): SchemaNode {
  return { keywords: {}, notes };
}

/** Returns the JSON Schema type of a value. */
export function typeOfValue(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isRecord(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

/** Returns whether a list of types includes a type. `integer` is included in `number`. */
export function hasType(types: readonly TypeName[], type: TypeName): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

/** Maximum length of a constraint described in text, in UTF-16 code units. Longer ones are omitted. */
const MAX_NOTE_CHARS = 200;

/**
 * Describes keywords as text for the model. The text tells the model about constraints that cannot be sent as schema.
 * Long constraints are omitted.
 */
export function noteOf(keywords: Readonly<Record<string, unknown>>): readonly string[] {
  if (Object.keys(keywords).length === 0) return [];
  const text = JSON.stringify(keywords);
  return text.length > MAX_NOTE_CHARS ? [] : [`Constraints: ${text}`];
}
