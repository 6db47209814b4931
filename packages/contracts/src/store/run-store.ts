import type { Checkpoint } from "../engine/checkpoint.ts";
import type { EngineError } from "../errors/engine-error.ts";
import type { Envelope } from "../events/envelope.ts";
import type { RunRecord } from "../session/run-record.ts";
import type { SessionReport } from "../session/session-report.ts";
import type { RunRequest } from "./run-request.ts";

/** What a kept write outlives: the end of the process, or the loss of power as well. */
export type Durability = "process" | "power";

/** Who may write to a run at the moment. */
export interface RunLease {
  /** Rises with every writer of the run. */
  readonly epoch: number;
  /** Whether that writer is still at work, as far as the store can tell. */
  readonly isHeld: boolean;
}

/** A run as it is listed: its record, or why that cannot be read. */
export type ListedRun =
  | { readonly runId: string; readonly location: string; readonly record: RunRecord; readonly lease: RunLease }
  | { readonly runId: string; readonly location: string; readonly problem: EngineError };

/** Everything that is kept about one run. */
export interface StoredRun {
  /** Id of the run. */
  readonly runId: string;
  /** Absolute path of the folder with the run's files. */
  readonly folder: string;
  /** Its record, where it can be read. */
  readonly record?: RunRecord | undefined;
  /** What it was asked to do, where that can be read. */
  readonly request?: RunRequest | undefined;
  /** Its report; there is none before its first attempt is over. */
  readonly report?: SessionReport | undefined;
  /** Who may write to it, where that can be told. */
  readonly lease?: RunLease | undefined;
  /** What is damaged, and how. */
  readonly problems: readonly EngineError[];
}

/** One event as it is kept: the text of an envelope that has this `seq`. */
export interface EventText {
  /** 1-based number within the run. */
  readonly seq: number;
  /** The envelope as JSON, without a line end. */
  readonly text: string;
}

/** How a run is taken over. */
export interface AcquireOptions {
  /** Takes the run from a writer that is at work; that one is refused from then on. */
  readonly takeOver?: boolean | undefined;
  /** Gives up waiting for the lease when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** Which runs are removed. */
export interface GarbageOptions {
  /** Runs that ended, or were last written to, before this time; milliseconds since 1970. */
  readonly before: number;
  /** Whether runs that could be resumed go as well; false by default. */
  readonly includeResumable?: boolean | undefined;
}

/**
 * Writes one run. Contract: bound to an epoch, which the store checks with every write; when a newer writer exists,
 * every call rejects with `store.stale_epoch` and leaves nothing behind that a reader could see, and so does a write
 * behind `finish` or `release`. What is handed in and out is a copy of what is kept. One call at a time of each kind;
 * `append` and `save` may overlap. What cannot be written rejects with `run.store_failed`, and what was there before is
 * still there. D2, D3, D6.
 */
export interface RunWriter {
  /** Id of the run. */
  readonly runId: string;
  /** Epoch of this writer. */
  readonly epoch: number;
  /** Absolute path of the folder for the run's files, such as artifacts. */
  readonly folder: string;
  /** Path or address of the run's checkpoints, for error messages. Default: `folder`. */
  readonly checkpointsAt?: string | undefined;
  /** The record as it is kept. */
  readonly record: RunRecord;
  /** What the run was asked to do. */
  readonly request: RunRequest;
  /** Number of the last kept event; 0 when there is none. */
  readonly lastSeq: number;
  /** Fires when the store has noticed a newer writer. */
  readonly signal: AbortSignal;
  /**
   * Keeps events, numbered without gaps behind `lastSeq`; when it resolves they outlive the process. Others reject with
   * `run.malformed_record`, and none of them is kept. D8.
   */
  append(events: readonly EventText[]): Promise<void>;
  /** Events that are kept by now, behind `afterSeq`. */
  events(afterSeq?: number): AsyncIterable<Envelope>;
  /**
   * Keeps a checkpoint; when it resolves, any later `load` gives it or a newer one. Rejects with `checkpoint.foreign` for
   * one of another run. D2.
   */
  save(checkpoint: Checkpoint): Promise<void>;
  /** The newest checkpoint; nothing when none was ever saved. Rejects with `checkpoint.corrupt` or `checkpoint.newer_format`. D3. */
  load(): Promise<Checkpoint | undefined>;
  /** Changes the record while the run goes on; its `run_id` stays. */
  update(changes: Partial<RunRecord>): Promise<void>;
  /** Keeps report and last record of an attempt, the record last, and gives the lease back. D7. */
  finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void>;
  /** Gives the lease back and closes the writer; a second call does nothing. */
  release(): Promise<void>;
}

/**
 * Keeps runs: records, requests, events, checkpoints and reports. Contract: safe for concurrent use by any number of
 * processes. engine: CheckpointStore; architecture: durability, files of a run.
 */
export interface RunStore {
  /** What a checkpoint and a record outlive once they are kept. */
  readonly durability: Durability;
  /** Keeps a new run; when it resolves, the run is listed after any crash. Rejects with `run.conflict`, `run.invalid_id` or `run.store_failed`. D1. */
  create(record: RunRecord, request: RunRequest): Promise<RunWriter>;
  /** Becomes the one writer of a run. Rejects with `run.not_found`, `run.invalid_id`, `run.leased` while another is at work, or `run.malformed_record`. D6. */
  acquire(runId: string, options?: AcquireOptions): Promise<RunWriter>;
  /** All runs, the newest first; damaged ones with their problem. */
  list(): Promise<ListedRun[]>;
  /** One run. Rejects with `run.not_found` or `run.invalid_id`. */
  show(runId: string): Promise<StoredRun>;
  /**
   * The events that are kept by now, behind `afterSeq`. Damaged ones are passed over, and the first of them is
   * thrown as `run.malformed_record` when all others were given. Rejects with `run.not_found` or `run.invalid_id`.
   */
  events(runId: string, afterSeq?: number): AsyncGenerator<Envelope, void, undefined>;
  /** The newest checkpoint of a run, like `RunWriter.load`. */
  load(runId: string): Promise<Checkpoint | undefined>;
  /** Removes a run with its files. Rejects with `run.leased` while a writer is at work, or with `run.not_found`. */
  delete(runId: string): Promise<void>;
  /** Removes old runs that no writer works on; gives the ids of those it removed. */
  collectGarbage(options: GarbageOptions): Promise<string[]>;
  /** Closes what the store holds open; writers are released. */
  close(): Promise<void>;
}
