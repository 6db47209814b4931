import type { Engine } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { EngineChoice } from "../suite/eval-suite.ts";

/** An engine that was opened for an evaluation. It is run several times at once. */
export interface EvalEngine {
  /** Its own name, for records and results. */
  readonly name: string;
  /** The engine; where it can be disposed of, the evaluation does so at its end. */
  readonly engine: Engine;
  /** Model reference, where its sessions name none. */
  readonly model?: string | undefined;
  /** Values that must not appear in anything. */
  readonly secrets?: Iterable<string | Secret> | undefined;
}

/** Opens an engine by what the evaluation says of it. Contract: rejects before anything runs where it cannot be used. */
export type OpenEvalEngine = (spec: EngineChoice["spec"]) => Promise<EvalEngine>;

/** An engine under the name that it has in this evaluation. */
export interface NamedEvalEngine extends EvalEngine {
  /** Unique in the evaluation. */
  readonly id: string;
}
