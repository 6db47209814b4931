import { join } from "node:path";
import { EngineError, type RunLease } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import type { DocumentSource } from "../codec/run-documents.ts";
import type { StoreTimer } from "../owner/store-timer.ts";
import type { WatermarkOptions } from "../watermark/run-watermark.ts";
import type { SqlRow } from "./libsql.ts";
import type { Database } from "./open-database.ts";

/** Settings and helpers that all parts of a SQLite store use. */
export interface SqliteContext {
  readonly database: Database;
  /** Absolute path of the folder for files of runs. */
  readonly filesDirectory: string;
  readonly owner: Owner;
  readonly timer: StoreTimer;
  /** Time without a heartbeat after which a writer counts as dead, in milliseconds. */
  readonly leaseMs: number;
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number;
}

/** A row of the database table `runs`. */
export interface RunRow {
  /** Database key of the run. A key is never reused for another run. */
  readonly key: number;
  readonly runId: string;
  readonly epoch: number;
  /** Token that identifies the process which holds the lease. */
  readonly owner: string | undefined;
  /** Time at which the lease was last acquired or released, in milliseconds since 1970. */
  readonly activeAt: number;
  /** Heartbeat of the lease holder: a value that changes while the holder is alive. */
  readonly beat: number | undefined;
  /** Record of the run, as JSON text with checksum. */
  readonly record: Uint8Array;
}

/** Parses a row of the database table `runs`. Throws `store.malformed` if the row is invalid. */
export function toRunRow([key, id, epoch, owner, activeAt, beat, record]: SqlRow, path: string): RunRow {
  if (
    typeof key !== "number" ||
    typeof id !== "string" ||
    typeof epoch !== "number" ||
    typeof activeAt !== "number" ||
    !(record instanceof Uint8Array)
  ) {
    throw new EngineError("store.malformed", { path, problem: "a run has columns of unknown kinds" });
  }
  return {
    key,
    runId: id,
    epoch,
    owner: typeof owner === "string" ? owner : undefined,
    activeAt,
    beat: typeof beat === "number" ? beat : undefined,
    record,
  };
}

/** Resolves with the row of a run. Rejects with `run.invalid_id`, `run.not_found` or `store.malformed`. */
export async function findRun({ database }: SqliteContext, runId: string): Promise<RunRow> {
  assertRunId(runId);
  const row = await database.read((get) => get("run").get([runId]));
  if (row === undefined) throw new EngineError("run.not_found", { runId, stateDirectory: database.path });
  return toRunRow(row, database.path);
}

/** Returns a text that identifies a run in the database, for error messages. */
export function sourceOf({ database }: SqliteContext, runId: string): DocumentSource {
  return { runId, path: `${database.path} (run ${runId})` };
}

/** Returns the absolute path of the folder for files of a run. */
export function folderOf({ filesDirectory }: SqliteContext, runId: string): string {
  return join(filesDirectory, runId);
}

/**
 * Returns the path of a run's watermark, which records the run's progress. The watermark is stored outside the
 * database. This makes it possible to detect a database that was replaced with an older copy.
 */
export function watermarkOf(context: SqliteContext, runId: string): WatermarkOptions {
  return { path: join(folderOf(context, runId), "watermark"), runId };
}

/** Returns the state of a run's lease as far as it is known without waiting for heartbeats. */
export function leaseOf({ owner }: SqliteContext, row: RunRow): RunLease {
  return { epoch: row.epoch, isHeld: row.owner !== undefined && owner.livenessOf(row.owner) !== "dead" };
}
