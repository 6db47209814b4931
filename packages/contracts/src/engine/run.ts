import type { Checkpoint, ResumeContext } from "./checkpoint.ts";
import type { Dependencies } from "./dependencies.ts";

/** Read-only input of one execution. Contract: engines never change it. See engine: Run. */
export interface Run {
  /** Id of the run, created by the host. A resumed run has the same id. */
  readonly id: string;
  /** Id of the run that dispatched this run, or from which this run was forked. `undefined` if there is none. */
  readonly parentRunId?: string | undefined;
  /** Host-defined attributes, such as `agent.id` and `tenant.id`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Dependencies that the host provides. */
  readonly deps: Dependencies;
  /** Checkpoint to resume from; `undefined` on a fresh start. */
  readonly resumeFrom?: Checkpoint | undefined;
  /** Number of this attempt (execution of the run), and why the run was resumed; `undefined` on a fresh start. */
  readonly resume?: ResumeContext | undefined;
  /** Signal that aborts when the run is cancelled or its time limit is reached. */
  readonly signal: AbortSignal;
}
