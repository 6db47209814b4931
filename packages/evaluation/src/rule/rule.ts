import type { LineMatcher } from "@switchyard/environment";

/** A pattern, compiled. */
export interface RulePattern {
  /** The regular expression, in RE2 syntax. */
  readonly source: string;
  /** Returns whether a text matches. */
  readonly test: LineMatcher;
}

/** Texts or patterns: all of `all`, at least one of `any` (unless it is empty) and none of `not` must occur. */
export interface Terms<T = string> {
  /** Texts or patterns that must all occur. */
  readonly all: readonly T[];
  /** Texts or patterns of which at least one must occur. Empty: no condition. */
  readonly any: readonly T[];
  /** Texts or patterns that must not occur. */
  readonly not: readonly T[];
}

/** A deterministic rule about the outcome of a session. */
export type Rule =
  | ({ readonly name: "output_contains" } & Terms)
  | ({ readonly name: "output_matches" } & Terms<RulePattern>)
  | { readonly name: "exit_code"; readonly code: number }
  | { readonly name: "files_exist" | "files_not_exist"; readonly paths: readonly string[] }
  | { readonly name: "file_contains"; readonly path: string; readonly text: string }
  | { readonly name: "golden_file"; readonly path: string }
  | ToolRule
  | ({ readonly name: "turn_response_contains" | "turn_response_not_contains"; readonly turn: number } & Terms);

/** A rule about the tool calls of a session or of one turn. */
export interface ToolRule {
  /** Name of the rule. */
  readonly name: "tool_called" | "tool_called_in_turn" | "tool_not_called_in_turn";
  /** Name of the tool; `server::tool` for a tool of an MCP server. */
  readonly tool: string;
  /** Arguments that the call must have. It may also have other arguments. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Turn number, starting at 1. `undefined`: any turn. */
  readonly turn?: number | undefined;
}
