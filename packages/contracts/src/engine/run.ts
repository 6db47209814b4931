import type { Checkpoint, ResumeContext } from "./checkpoint.ts";
import type { Dependencies } from "./dependencies.ts";

/** What one execution is given to read. Contract: engines never change anything in it. engine: Run. */
export interface Run {
  /** Made by the host; stable over resumes. */
  readonly id: string;
  /** Run that dispatched this one. */
  readonly parentRunId?: string | undefined;
  /** Marks of the host, such as `agent.id` and `tenant.id`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** What the host provides. */
  readonly deps: Dependencies;
  /** Where to go on; absent on a fresh start. */
  readonly resumeFrom?: Checkpoint | undefined;
  /** Why and how often it is being resumed. */
  readonly resume?: ResumeContext | undefined;
  /** Fires when the run is cancelled or its time is up. */
  readonly signal: AbortSignal;
}
