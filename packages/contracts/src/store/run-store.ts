import type { Checkpoint } from "../engine/checkpoint.ts";
import type { EngineError } from "../errors/engine-error.ts";
import type { Envelope } from "../events/envelope.ts";
import type { RunRecord } from "../session/run-record.ts";
import type { SessionReport } from "../session/session-report.ts";
import type { DocumentStore } from "./document-store.ts";
import type { RunRequest } from "./run-request.ts";

/** Durability of stored data: it survives the end of the process (`process`), or also a power failure (`power`). */
export type Durability = "process" | "power";

/** Lease of a run: the exclusive right to write to the run. */
export interface RunLease {
  /**
   * Number of the newest writer. Each new writer of the run increases it, so that writes of older writers can be
   * rejected.
   */
  readonly epoch: number;
  /** True if the store believes that the writer is still alive. */
  readonly isHeld: boolean;
}

/** A run in a list: its record, or the reason why the record cannot be read. */
export type ListedRun =
  | { readonly runId: string; readonly location: string; readonly record: RunRecord; readonly lease: RunLease }
  | { readonly runId: string; readonly location: string; readonly problem: EngineError };

/** All stored data of one run, except events and checkpoints. */
export interface StoredRun {
  /** Id of the run. */
  readonly runId: string;
  /** Absolute path of the folder with the run's files. */
  readonly folder: string;
  /** Record of the run; `undefined` if it cannot be read. */
  readonly record?: RunRecord | undefined;
  /** Request of the run; `undefined` if it cannot be read. */
  readonly request?: RunRequest | undefined;
  /** Report of the run; `undefined` before its first attempt has ended. */
  readonly report?: SessionReport | undefined;
  /** Lease of the run (which process may write to it); `undefined` if it cannot be determined. */
  readonly lease?: RunLease | undefined;
  /** Damage that was found. */
  readonly problems: readonly EngineError[];
}

/** An event to store: the envelope's JSON text, and its `seq`. */
export interface EventText {
  /** 1-based sequence number within the run. */
  readonly seq: number;
  /** Envelope as JSON, without a line ending. */
  readonly text: string;
}

/** Options for `RunStore.acquire`. */
export interface AcquireOptions {
  /** True to take the run from a live writer, whose writes are then rejected. Default: false. */
  readonly takeOver?: boolean | undefined;
  /** Stops waiting for the lease when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Result of an earlier call of `show` for this run, which the caller has not modified. If the stored run is still the
   * same, the store may use this result instead of reading the run again. Default: the store reads the run.
   */
  readonly seen?: StoredRun | undefined;
}

/** Options for `RunStore.collectGarbage`. */
export interface GarbageOptions {
  /** Removes runs that ended, or were last written to, before this time; milliseconds since 1970. */
  readonly before: number;
  /** True to also remove runs that could be resumed. Default: false. */
  readonly includeResumable?: boolean | undefined;
  /**
   * Removes data that belongs to no run if it was stored before this time; milliseconds since 1970. Such data are files
   * of requests that were not accepted, and the markers that remain of deleted runs. Default: `before`.
   */
  readonly orphansBefore?: number | undefined;
}

/**
 * Writes one run. See durability promises D2, D3, D6.
 *
 * Contract: the store checks the writer's epoch (its number) with every write. Once a newer writer exists, every call
 * rejects with `store.stale_epoch` and has no visible effect. A write after `finish` or `release` is rejected in the
 * same way. Values passed in and returned are copies. `append` and `save` may overlap; otherwise only one call of each
 * kind runs at a time. A failed write rejects with `run.store_failed` and preserves the previous data.
 */
export interface RunWriter {
  /** Id of the run. */
  readonly runId: string;
  /** Epoch of this writer. */
  readonly epoch: number;
  /** Absolute path of the folder for files of the run, such as artifacts. */
  readonly folder: string;
  /** Path or URL of the run's checkpoints, for error messages. Default: `folder`. */
  readonly checkpointsAt?: string | undefined;
  /** Stored record. */
  readonly record: RunRecord;
  /** Stored request. */
  readonly request: RunRequest;
  /** Sequence number of the last stored event; 0 if there is none. */
  readonly lastSeq: number;
  /**
   * True if the store knows that earlier writers stored no events, checkpoints or report for this run. A reader would
   * find none. Default: false.
   */
  readonly isNew?: boolean | undefined;
  /** Aborts when the store detects a newer writer. */
  readonly signal: AbortSignal;
  /**
   * Stores events, numbered without gaps after `lastSeq`. Once the call resolves, the events survive the end of the
   * process. Rejects with `run.malformed_record` if an event is invalid; no event is then stored. See durability
   * promise D8.
   */
  append(events: readonly EventText[]): Promise<void>;
  /** Streams the stored events after `afterSeq`. */
  events(afterSeq?: number): AsyncIterable<Envelope>;
  /**
   * Stores a checkpoint. Once the call resolves, every later `load` returns this checkpoint or a newer one. Rejects
   * with `checkpoint.foreign` if the checkpoint belongs to another run. See durability promise D2.
   */
  save(checkpoint: Checkpoint): Promise<void>;
  /**
   * Resolves with the newest checkpoint; `undefined` if none was ever saved. Rejects with `checkpoint.corrupt` or
   * `checkpoint.newer_format`. See durability promise D3.
   */
  load(): Promise<Checkpoint | undefined>;
  /** Changes the record of the run. The record's `run_id` never changes. */
  update(changes: Partial<RunRecord>): Promise<void>;
  /** Stores the report and then the final record of an attempt, and releases the lease. See durability promise D7. */
  finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void>;
  /** Releases the lease and closes the writer; a second call does nothing. */
  release(): Promise<void>;
}

/**
 * Stores runs: records, requests, events, checkpoints and reports. Contract: safe for concurrent use by any number of
 * processes. See engine: CheckpointStore; architecture: durability, files of a run.
 */
export interface RunStore {
  /** Durability of stored checkpoints and records. */
  readonly durability: Durability;
  /** Documents that all processes with this store share. `undefined` if the store cannot store documents. */
  readonly documents?: DocumentStore | undefined;
  /**
   * Creates a run. Once the call resolves, the run is listed, even after a crash. Rejects with `run.conflict`,
   * `run.invalid_id` or `run.store_failed`. See durability promise D1.
   */
  create(record: RunRecord, request: RunRequest): Promise<RunWriter>;
  /**
   * Creates a run without a writer. This takes fewer writes than a call of `create` and a call of `release`. Rejects
   * like `create`. `undefined` if the store has no cheaper way than these two calls.
   */
  readonly add?: ((record: RunRecord, request: RunRequest) => Promise<void>) | undefined;
  /**
   * Acquires the lease of a run and resolves with its writer. Rejects with `run.not_found`, `run.invalid_id`,
   * `run.malformed_record`, or `run.leased` while another writer is alive. See durability promise D6.
   */
  acquire(runId: string, options?: AcquireOptions): Promise<RunWriter>;
  /** Resolves with all runs, newest first. Damaged runs are included with their error. */
  list(): Promise<ListedRun[]>;
  /**
   * Resolves with the number of bytes that each run uses outside its folder, for example on a broker. Runs that use none
   * may be missing. `undefined` if the store keeps all data of a run in the folder of the run, or cannot tell.
   */
  readonly sizes?: (() => Promise<ReadonlyMap<string, number>>) | undefined;
  /** Resolves with the stored data of one run. Rejects with `run.not_found` or `run.invalid_id`. */
  show(runId: string): Promise<StoredRun>;
  /**
   * Streams the stored events after `afterSeq`, without damaged events. If an event was damaged, throws
   * `run.malformed_record` at the end of the stream, for the first damaged event. Rejects with `run.not_found` or
   * `run.invalid_id`.
   */
  events(runId: string, afterSeq?: number): AsyncGenerator<Envelope, void, undefined>;
  /** Resolves with the newest checkpoint of a run, like `RunWriter.load`. */
  load(runId: string): Promise<Checkpoint | undefined>;
  /** Removes a run with its files. Rejects with `run.not_found`, or with `run.leased` while a writer is alive. */
  delete(runId: string): Promise<void>;
  /** Removes old runs that have no live writer; resolves with their ids. */
  collectGarbage(options: GarbageOptions): Promise<string[]>;
  /** Closes the store and releases its writers. */
  close(): Promise<void>;
}
