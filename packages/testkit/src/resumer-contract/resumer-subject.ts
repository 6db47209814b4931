import type { Checkpoint } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import type { EngineSituation } from "../engine-contract/engine-subject.ts";

/** What can tell whether it can go on from a checkpoint. engine: Resumer. */
export interface ContractResumer {
  /** Throws when it cannot. */
  canResume(checkpoint: Checkpoint): void;
}

/** A resume check as the cases get it. */
export interface ResumerSubject {
  /** The check. */
  readonly resumer: ContractResumer;
  /** A checkpoint that it accepts, as a store gives it back. */
  readonly checkpoint: Checkpoint;
  /** Checkpoints of its own version that it must refuse, such as one without what its payload needs. */
  readonly malformed?: readonly Checkpoint[] | undefined;
  /** The engine of the check and what a run needs, so that both can be compared. */
  readonly situation?: EngineSituation | undefined;
  /** Gives everything back. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Makes a resume check and a checkpoint for it. */
export type ResumerFactory = () => Eventually<ResumerSubject>;
