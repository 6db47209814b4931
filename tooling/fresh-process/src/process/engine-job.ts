import type { BoardSnapshot, Checkpoint, Dependencies, Host, ResumeContext } from "@switchyard/contracts";

/** The host of a run, on the side of the test, and what an engine's process needs beside it. */
export interface StepHost extends Omit<Host, "checkpoint"> {
  /** Takes a checkpoint; tells whether the process may end once it is kept. */
  keep(checkpoint: Checkpoint): Promise<boolean>;
  /** Ends the process that calls it; to that, it never returns. */
  end(): void;
}

/** What a process works on: a run from its beginning, or from its last checkpoint on. */
export interface EngineJob {
  /** Name of the engine in the program. */
  readonly engine: string;
  /** What it is made of. */
  readonly options: unknown;
  readonly host: StepHost;
  readonly id: string;
  readonly parentRunId: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly deps: Dependencies;
  readonly signal: AbortSignal;
  readonly resume: ResumeContext | undefined;
  readonly resumeFrom: Checkpoint | undefined;
  /** State of the board at the beginning; the process that goes on has nothing but the checkpoint. */
  readonly board: BoardSnapshot | undefined;
  /** Folder of the store. */
  readonly directory: string;
  /** Whether it goes on from what the process before it has kept. */
  readonly goesOn: boolean;
}

/** How a run ended. */
export interface JobOutcome {
  readonly board: BoardSnapshot;
  readonly isOk: boolean;
  /** What the engine rejected with. */
  readonly error?: unknown;
}
