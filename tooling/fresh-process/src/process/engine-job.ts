import type { BoardSnapshot, Checkpoint, Dependencies, Host, ResumeContext } from "@switchyard/contracts";

/** Host of a run in the test's process, and additional operations for the engine's process. */
export interface StepHost extends Omit<Host, "checkpoint"> {
  /** Stores a checkpoint. Resolves with whether the process may be ended afterwards. */
  keep(checkpoint: Checkpoint): Promise<boolean>;
  /** Ends the calling process. Never returns to it. */
  end(): void;
}

/** Work of a process: a run from its start, or from its last checkpoint. */
export interface EngineJob {
  /** Name of the engine in the program. */
  readonly engine: string;
  /** Options of the engine. */
  readonly options: unknown;
  readonly host: StepHost;
  readonly id: string;
  readonly parentRunId: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly deps: Dependencies;
  readonly signal: AbortSignal;
  readonly resume: ResumeContext | undefined;
  readonly resumeFrom: Checkpoint | undefined;
  /** Initial state of the board. A process that resumes has only the checkpoint. */
  readonly board: BoardSnapshot | undefined;
  /** Folder of the store. */
  readonly directory: string;
  /** True if it resumes from the previous process's checkpoint. */
  readonly isContinued: boolean;
}

/** Outcome of a run. */
export interface JobOutcome {
  readonly board: BoardSnapshot;
  readonly isOk: boolean;
  /** Error of the engine. */
  readonly error?: unknown;
}
