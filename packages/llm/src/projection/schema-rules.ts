/** A rule of an API, and where it is documented or was reported. */
export interface Sourced<T> {
  /** The rule. */
  readonly value: T;
  /** Public address. */
  readonly source: string;
}

/** What one API accepts as the parameters of a tool: JSON Schema goes in, a subset of it is sent. */
export interface SchemaRules {
  /** Name of the API, for warnings. */
  readonly target: string;
  /** Keywords that are sent, beside `type`, `properties`, `required`, `items`, `anyOf`, `enum` and `description`. */
  readonly keywords: Sourced<readonly string[]>;
  /** Values of `format` that are sent; `undefined`: every one. */
  readonly formats: Sourced<readonly string[] | undefined>;
  /** Which values of `pattern` are sent. */
  readonly patterns: Sourced<"none" | "anchored" | "python">;
  /** How several types are sent: as a list, as `anyOf`, or as `anyOf` with `null` beside another type only. */
  readonly types: Sourced<"list" | "union" | "nullable">;
  /** Values that an `enum` may have. */
  readonly enums: Sourced<"any" | "strings">;
  /** Whether `anyOf` is sent without any other keyword. */
  readonly isUnionAlone: Sourced<boolean>;
  /** Whether a schema must name a type or a union. */
  readonly needsType: Sourced<boolean>;
  /** Whether arrays must say what their items are. */
  readonly needsItems: Sourced<boolean>;
  /** Whether objects must have `properties`, and whether they may be empty. */
  readonly properties: Sourced<"required" | "optional" | "not_empty">;
  /** What `additionalProperties` may be. */
  readonly additionalProperties: Sourced<"schema" | "none">;
  /** Names that properties may have. */
  readonly propertyName: Sourced<RegExp>;
  /** Names that tools may have. */
  readonly toolName: Sourced<RegExp>;
  /** Maximum number of tools in a request; `undefined`: none is documented. */
  readonly maxTools: Sourced<number | undefined>;
  /** Maximum number of levels of a schema; deeper ones are sent open. */
  readonly maxLevels: Sourced<number>;
}
