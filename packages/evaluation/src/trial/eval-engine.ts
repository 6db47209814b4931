import type { Engine } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { EngineChoice } from "../suite/eval-suite.ts";

/** An engine opened for an evaluation. It may run several sessions concurrently. */
export interface EvalEngine {
  /** Name that the engine gives itself, for records and results. */
  readonly name: string;
  /** Engine to run. Disposed at the end of the evaluation if it is disposable. */
  readonly engine: Engine;
  /** Model reference of the engine's sessions. `undefined` if the engine chooses the model. */
  readonly model?: string | undefined;
  /** Values to mask in all output. */
  readonly secrets?: Iterable<string | Secret> | undefined;
}

/**
 * Opens an engine by the `spec` of an engine in the suite. Contract: rejects before a session starts if the engine is
 * unusable.
 */
export type OpenEvalEngine = (spec: EngineChoice["spec"]) => Promise<EvalEngine>;

/** An engine with its name in this evaluation. */
export interface NamedEvalEngine extends EvalEngine {
  /** Unique name within the evaluation. */
  readonly id: string;
}
