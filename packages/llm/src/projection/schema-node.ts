import { isRecord } from "../failure/error-info.ts";

/** Types of JSON Schema. */
export type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** A schema in few words: without references, combinations but `anyOf`, and booleans. */
export interface SchemaNode {
  /** Types that a value may have; `undefined`: any. */
  types?: readonly TypeName[] | undefined;
  /** Values that it may be; `undefined`: any. */
  values?: readonly unknown[] | undefined;
  /** Properties by name. */
  properties?: Readonly<Record<string, SchemaNode>> | undefined;
  /** Names of properties that must be there. */
  required?: readonly string[] | undefined;
  /** Other properties; `false`: there are none. */
  others?: SchemaNode | false | undefined;
  /** Entries of an array. */
  items?: SchemaNode | undefined;
  /** Alternatives, at least one of which must hold. */
  anyOf?: readonly SchemaNode[] | undefined;
  /** Keywords with simple values. */
  words: Readonly<Record<string, unknown>>;
  /** Text for the model. */
  description?: string | undefined;
  /** What the schema says in words that no API accepts, for the model. */
  notes: readonly string[];
}

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** Whether a value is the name of a type. */
export function isTypeName(value: unknown): value is TypeName {
  return TYPES.has(value);
}

/** An open schema: any value fits. */
export function openNode(...notes: readonly string[]): SchemaNode {
  return { words: {}, notes };
}

/** The type of a value. */
export function typeOfValue(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isRecord(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

/** Whether a type is one of several; integers are numbers. */
export function hasType(types: readonly TypeName[], type: TypeName): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

/** Maximum length of a constraint that is told in words, in UTF-16 code units. */
const MAX_NOTE_CHARS = 200;

/** Keywords in words for the model: a constraint that cannot be sent still helps; a long one does not. */
export function noteOf(words: Readonly<Record<string, unknown>>): readonly string[] {
  if (Object.keys(words).length === 0) return [];
  const text = JSON.stringify(words);
  return text.length > MAX_NOTE_CHARS ? [] : [`Constraints: ${text}`];
}
