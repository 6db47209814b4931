import type { BoardSnapshot } from "./board.ts";

/** State of a run at a safe boundary. engine: Checkpoint. */
export interface Checkpoint {
  /** Id of the run that made it. */
  readonly execId: string;
  /** Where the run is, in the engine's own words. */
  readonly step?: string | undefined;
  /**
   * 1-based number of the checkpoint within its run. Set by the host that stores it, which also records it in the event
   * log, so that a lost checkpoint is noticed. `undefined` until then.
   */
  readonly number?: number | undefined;
  /** Counter of engines that loop. */
  readonly iteration?: number | undefined;
  /** The board at the boundary. */
  readonly board: BoardSnapshot;
  /** What else the engine needs; plain data that only it understands. */
  readonly payload?: unknown;
  /** The run's attributes. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /** When it was made, ISO 8601. */
  readonly timestamp: string;
  /** When the first attempt of the run began, ISO 8601. */
  readonly originalStartedAt?: string | undefined;
  /** Version of the engine's definition; empty or absent means that drift is not checked. */
  readonly specVersion?: string | undefined;
}

/** Keeps checkpoints. Contract: `load` gives a whole record, nothing when none was ever saved, or throws. engine: CheckpointStore. */
export interface CheckpointStore {
  /** Saves; when it resolves, any later load gives this record or a newer one. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** The newest record of a run. Throws `checkpoint.corrupt` or `checkpoint.newer_format`. */
  load(execId: string): Promise<Checkpoint | undefined>;
}

/** A store that can list. engine: CheckpointLister. */
export interface CheckpointLister {
  /** Ids of all runs that have a checkpoint. */
  list(): Promise<readonly string[]>;
}

/** A store that can delete. engine: CheckpointDeleter. */
export interface CheckpointDeleter {
  /** Deletes all checkpoints of a run. */
  delete(execId: string): Promise<void>;
}

/** Why and how often a run is being resumed. engine: ResumeContext. */
export interface ResumeContext {
  /** 1 for a fresh run, 2 for the first resume. */
  readonly attempt: number;
  /** When the first attempt began, ISO 8601. */
  readonly startedAt: string;
  /** What triggered it: manual, interrupt-recovery, schedule, crash, retry, or a word of the host's. */
  readonly signal: string;
  /** When the checkpoint was made; absent on a fresh start. */
  readonly checkpointAt?: string | undefined;
}
