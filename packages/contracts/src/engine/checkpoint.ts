import type { BoardSnapshot } from "./board.ts";

/** Saved state of a run, from which the run can be resumed. See engine: Checkpoint. */
export interface Checkpoint {
  /** Id of the run that created the checkpoint. */
  readonly execId: string;
  /** Engine-defined name of the step at which the checkpoint was created. */
  readonly step?: string | undefined;
  /**
   * 1-based number of the checkpoint within its run, set by the host that stores it. The host also records the number
   * in the event log, so that a lost checkpoint is detected. `undefined` until the host stores the checkpoint.
   */
  readonly number?: number | undefined;
  /** Number of the current iteration, for engines that work in a loop. */
  readonly iteration?: number | undefined;
  /**
   * Name under which the host stored the workspace's files at this checkpoint. `undefined` if the host stores no files.
   */
  readonly files?: string | undefined;
  /** Snapshot of the board. */
  readonly board: BoardSnapshot;
  /** Engine-defined plain data. */
  readonly payload?: unknown;
  /** The run's attributes. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /** Time the checkpoint was created, ISO 8601. */
  readonly timestamp: string;
  /** Time the first attempt of the run began, ISO 8601. */
  readonly originalStartedAt?: string | undefined;
  /**
   * Version of the engine's definition. A run is not resumed by an engine with a different version. Empty or
   * `undefined`: not checked.
   */
  readonly specVersion?: string | undefined;
}

/**
 * Stores checkpoints. Contract: `load` resolves with a complete checkpoint, resolves with `undefined` if none was ever
 * saved, or rejects. See engine: CheckpointStore.
 */
export interface CheckpointStore {
  /** Saves a checkpoint. Once it resolves, every later `load` returns this checkpoint or a newer one. */
  save(checkpoint: Checkpoint): Promise<void>;
  /**
   * Resolves with the newest checkpoint of a run; `undefined` if none was saved. Rejects with `checkpoint.corrupt` or
   * `checkpoint.newer_format`.
   */
  load(execId: string): Promise<Checkpoint | undefined>;
}

/** A checkpoint store that can list the runs that have checkpoints. See engine: CheckpointLister. */
export interface CheckpointLister {
  /** Resolves with the ids of all runs that have a checkpoint. */
  list(): Promise<readonly string[]>;
}

/** A checkpoint store that can delete checkpoints. See engine: CheckpointDeleter. */
export interface CheckpointDeleter {
  /** Deletes all checkpoints of a run. */
  delete(execId: string): Promise<void>;
}

/** Number of the attempt of a run, and why the run was resumed. See engine: ResumeContext. */
export interface ResumeContext {
  /** Number of the attempt: 1 for a new run, 2 for the first resume. */
  readonly attempt: number;
  /** Time the first attempt began, ISO 8601. */
  readonly startedAt: string;
  /** Reason for the resume: `manual`, `interrupt-recovery`, `schedule`, `crash`, `retry`, or a host-defined word. */
  readonly signal: string;
  /** Time the checkpoint was created, ISO 8601; `undefined` on a fresh start. */
  readonly checkpointAt?: string | undefined;
}
