/** A rule of an API, and the page that documents the rule. */
export interface Sourced<T> {
  /** Value of the rule. */
  readonly value: T;
  /** URL of the page that documents the rule. */
  readonly source: string;
}

/** Subset of JSON Schema that an API accepts for tool parameters. */
export interface SchemaRules {
  /** Name of the model API, used in warnings. */
  readonly target: string;
  /**
   * Supported keywords, in addition to `type`, `properties`, `required`, `items`, `anyOf`, `enum` and `description`.
   */
  readonly keywords: Sourced<readonly string[]>;
  /** Supported values of `format`. `undefined`: all. */
  readonly formats: Sourced<readonly string[] | undefined>;
  /** Supported values of `pattern`. */
  readonly patterns: Sourced<"none" | "anchored" | "python">;
  /** Notation of several types: as a list, as `anyOf`, or as `anyOf` only for `null` and another type. */
  readonly types: Sourced<"list" | "union" | "nullable">;
  /** Supported values of an `enum`. */
  readonly enums: Sourced<"any" | "strings">;
  /** True if `anyOf` must not have sibling keywords. */
  readonly isUnionAlone: Sourced<boolean>;
  /** True if a schema must have a type or a union. */
  readonly needsType: Sourced<boolean>;
  /** True if arrays must describe their items. */
  readonly needsItems: Sourced<boolean>;
  /** Whether objects must have `properties`, and whether these may be empty. */
  readonly properties: Sourced<"required" | "optional" | "not_empty">;
  /** Supported forms of `additionalProperties`. */
  readonly additionalProperties: Sourced<"schema" | "none">;
  /** Valid property names. */
  readonly propertyName: Sourced<RegExp>;
  /** Valid tool names. */
  readonly toolName: Sourced<RegExp>;
  /** Maximum number of tools in a request. `undefined`: none is documented. */
  readonly maxTools: Sourced<number | undefined>;
  /** Maximum schema depth. Deeper levels are sent as open schemas. */
  readonly maxLevels: Sourced<number>;
}
