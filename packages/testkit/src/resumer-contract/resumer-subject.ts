import type { Checkpoint } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import type { EngineSituation } from "../engine-contract/engine-subject.ts";

/** An object that checks whether an engine can resume from a checkpoint. See engine: Resumer. */
export interface ContractResumer {
  /** Throws if the engine cannot resume from the checkpoint. */
  canResume(checkpoint: Checkpoint): void;
}

/** A resume check under test, and checkpoints for it. */
export interface ResumerSubject {
  /** Resume check under test. */
  readonly resumer: ContractResumer;
  /** A checkpoint that the check accepts, as loaded from a store. */
  readonly checkpoint: Checkpoint;
  /** Checkpoints of the engine's current version that the check must reject, for example with an incomplete payload. */
  readonly malformed?: readonly Checkpoint[] | undefined;
  /**
   * The engine of the resume check, and the inputs of a run. The conformance kit resumes this engine from the
   * checkpoints, and tests whether it agrees with the resume check. `undefined`: this comparison is skipped.
   */
  readonly situation?: EngineSituation | undefined;
  /** Releases all resources. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Creates a resume check, and a checkpoint that it accepts. */
export type ResumerFactory = () => Eventually<ResumerSubject>;
