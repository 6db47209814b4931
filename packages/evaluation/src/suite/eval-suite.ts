import type { SessionMessage } from "@switchyard/contracts";
import type { LineMatcher } from "@switchyard/environment";
import type { SchemaCheck } from "@switchyard/json-schema";

/** An evaluation as its file describes it, checked as a whole; paths are absolute. */
export interface EvalSuite {
  /** Name, for reports. */
  readonly name: string;
  /** Who does the work, one after the other for every case. */
  readonly engines: readonly EngineChoice[];
  /** Under which conditions; one without a name where the file has none. */
  readonly variants: readonly EvalVariant[];
  /** The tasks. */
  readonly cases: readonly EvalCase[];
  /** How often every combination is run. */
  readonly iterations: number;
  /** Sessions that run at the same time. */
  readonly concurrency: number;
  /** How often a run that ended in ERROR is made again. */
  readonly retries: number;
  /** What everything together may use. */
  readonly budget: EvalBudget;
  /** The model that decides `judge` assertions. */
  readonly judge?: JudgeChoice | undefined;
}

/** One entry of `engines`. */
export interface EngineChoice {
  /** Name in the results; the engine's own by default. */
  readonly id?: string | undefined;
  /** Name of a built-in engine, absolute path of an engine file, or a block as it stands in such a file. */
  readonly spec: string | Readonly<Record<string, unknown>>;
  /** Where it stands, for messages. */
  readonly field: string;
}

/** A condition under which all cases are run. */
export interface EvalVariant {
  /** Its name; nothing for the only one of a file without variants. */
  readonly name?: string | undefined;
  /** Files that are put into the workspace, over those of the case. */
  readonly files: readonly EvalFile[];
  /** Parameters of the engine, over those of the case. */
  readonly kwargs: Readonly<Record<string, string>>;
}

/** A file or folder that is put into the workspace. */
export interface EvalFile {
  /** Path inside the workspace, with `/`. */
  readonly path: string;
  /** The text, or where a copy of it lies on this machine. */
  readonly source: { readonly content: string } | { readonly from: string };
}

/** One task and what must be true when it is done. */
export interface EvalCase {
  /** Unique in the evaluation. */
  readonly id: string;
  /** The conversation that the engine goes on with. */
  readonly messages: readonly SessionMessage[];
  /** Folder that is copied for each run; an empty workspace without one. */
  readonly workspace?: string | undefined;
  /** Files that are put into the workspace. */
  readonly files: readonly EvalFile[];
  /** Parameters of the engine. */
  readonly kwargs: Readonly<Record<string, string>>;
  /** Time that a run may take, in seconds. */
  readonly timeoutSeconds: number;
  /** Most turns of the model. */
  readonly maxTurns?: number | undefined;
  /** Files that are put into the workspace when the engine is done, for the assertions alone. */
  readonly assertFiles: readonly EvalFile[];
  /** What must be true; without any, a run that was completed passes. */
  readonly assertions: readonly Assertion[];
}

/** Something that must be true of a run that was completed. */
export type Assertion =
  | { readonly kind: "contains" | "not_contains"; readonly text: string }
  | { readonly kind: "matches"; readonly pattern: string; readonly test: LineMatcher }
  | { readonly kind: "file_exists"; readonly path: string }
  | { readonly kind: "command"; readonly command: string | readonly string[]; readonly timeoutSeconds: number }
  | { readonly kind: "json_schema"; readonly schema: Readonly<Record<string, unknown>>; readonly check: SchemaCheck }
  | { readonly kind: "judge"; readonly criterion: string };

/** What all runs together may use; what is unset is without limit. */
export interface EvalBudget {
  /** Cost of all model calls, in US dollars. */
  readonly costUsd?: number | undefined;
  /** Tokens of all model calls. */
  readonly totalTokens?: number | undefined;
  /** Wall-clock time. */
  readonly minutes?: number | undefined;
}

/** The model that judges. */
export interface JudgeChoice {
  /** Model reference, `provider/name`. */
  readonly model: string;
  /** Address of its API, where it is not the vendor's. */
  readonly baseUrl?: string | undefined;
}
