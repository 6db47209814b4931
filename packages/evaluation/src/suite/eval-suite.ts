import type { SessionMessage } from "@switchyard/contracts";
import type { LineMatcher } from "@switchyard/environment";
import type { SchemaCheck } from "@switchyard/json-schema";

/** A validated evaluation suite. All paths are absolute. */
export interface EvalSuite {
  /** Name, for reports. */
  readonly name: string;
  /** Engines to compare. Each engine runs every case. */
  readonly engines: readonly EngineChoice[];
  /** Variants of the setup. If the suite file has none, the list contains one variant without a name. */
  readonly variants: readonly EvalVariant[];
  /** The tasks. */
  readonly cases: readonly EvalCase[];
  /** Number of trials per combination of case, variant and engine. */
  readonly iterations: number;
  /** Maximum number of concurrent sessions. */
  readonly concurrency: number;
  /** Maximum number of retries of a trial that ended in `ERROR`. */
  readonly retries: number;
  /** Limits for the whole evaluation. */
  readonly budget: EvalBudget;
  /** Model that decides `judge` assertions. `undefined` if the suite does not set it. */
  readonly judge?: JudgeChoice | undefined;
}

/** One entry of `engines`. */
export interface EngineChoice {
  /** Name of the engine in the results. Default: the name that the engine reports. */
  readonly id?: string | undefined;
  /** Name of a built-in engine, absolute path of an engine file, or an inline engine block. */
  readonly spec: string | Readonly<Record<string, unknown>>;
  /** Location of the engine in the suite file, for error messages. */
  readonly field: string;
}

/** Variant of the setup: additional files and engine parameters with which all cases run. */
export interface EvalVariant {
  /** Name of the variant. `undefined` for the implicit variant of a suite without variants. */
  readonly name?: string | undefined;
  /** Files added to the workspace. They replace files of the case that have the same path. */
  readonly files: readonly EvalFile[];
  /** Engine parameters. They override parameters of the case with the same name. */
  readonly kwargs: Readonly<Record<string, string>>;
}

/** A file or folder added to the workspace. */
export interface EvalFile {
  /** Path relative to the workspace, with `/` as separator. */
  readonly path: string;
  /** Text of the file, or the absolute path to copy from. */
  readonly source: { readonly content: string } | { readonly from: string };
}

/** Case of a suite: one task and its assertions. */
export interface EvalCase {
  /** Unique id within the suite. */
  readonly id: string;
  /** Messages of the conversation that the engine continues. */
  readonly messages: readonly SessionMessage[];
  /** Folder that is copied to create the workspace of each session. `undefined`: the workspace starts empty. */
  readonly workspace?: string | undefined;
  /** Files added to the workspace before the session. */
  readonly files: readonly EvalFile[];
  /** Engine parameters. */
  readonly kwargs: Readonly<Record<string, string>>;
  /** Timeout of a session, in seconds. */
  readonly timeoutSeconds: number;
  /** Maximum number of model turns. `undefined`: no limit. */
  readonly maxTurns?: number | undefined;
  /** Files added to the workspace after the session, visible only to the assertions. */
  readonly assertFiles: readonly EvalFile[];
  /** Assertions. Without any, a completed session passes. */
  readonly assertions: readonly Assertion[];
}

/** Condition that a completed session must meet. */
export type Assertion =
  | { readonly kind: "contains" | "not_contains"; readonly text: string }
  | { readonly kind: "matches"; readonly pattern: string; readonly test: LineMatcher }
  | { readonly kind: "file_exists"; readonly path: string }
  | { readonly kind: "command"; readonly command: string | readonly string[]; readonly timeoutSeconds: number }
  | { readonly kind: "json_schema"; readonly schema: Readonly<Record<string, unknown>>; readonly check: SchemaCheck }
  | { readonly kind: "judge"; readonly criterion: string };

/** Limits for all trials together. A limit that is not set does not apply. */
export interface EvalBudget {
  /** Maximum cost of all model calls, in US dollars. */
  readonly costUsd?: number | undefined;
  /** Maximum number of tokens of all model calls. */
  readonly totalTokens?: number | undefined;
  /** Maximum wall-clock time, in minutes. */
  readonly minutes?: number | undefined;
}

/** The judge's model. */
export interface JudgeChoice {
  /** Model reference, `provider/name`. */
  readonly model: string;
  /** Base URL of the API. Default: the vendor's. */
  readonly baseUrl?: string | undefined;
}
