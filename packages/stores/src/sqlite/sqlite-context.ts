import { join } from "node:path";
import { EngineError, type RunLease } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import type { DocumentSource } from "../codec/run-documents.ts";
import type { StoreTimer } from "../owner/store-timer.ts";
import type { WatermarkOptions } from "../watermark/run-watermark.ts";
import type { SqlRow } from "./libsql.ts";
import type { Database } from "./open-database.ts";

/** What everything in a store on SQLite needs. */
export interface SqliteContext {
  readonly database: Database;
  /** Absolute path of the folder with the runs' files. */
  readonly filesDirectory: string;
  readonly owner: Owner;
  readonly timer: StoreTimer;
  /** Milliseconds without a sign of life after which a writer counts as gone. */
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A run as it lies in the database. */
export interface RunRow {
  /** Never used for another run. */
  readonly key: number;
  readonly runId: string;
  readonly epoch: number;
  /** Token of the one who holds the lease. */
  readonly owner: string | undefined;
  /** When its lease was last taken or given back, milliseconds since 1970. */
  readonly activeAt: number;
  /** Changes as long as the owner is at work. */
  readonly beat: number | undefined;
  /** The sealed record. */
  readonly record: Uint8Array;
}

/** A row of the table of runs. Throws `store.malformed` when it is none. */
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

/** Finds a run. Rejects with `run.invalid_id`, `run.not_found` or `store.malformed`. */
export async function findRun({ database }: SqliteContext, runId: string): Promise<RunRow> {
  assertRunId(runId);
  const row = await database.read((get) => get("run").get([runId]));
  if (row === undefined) throw new EngineError("run.not_found", { runId, stateDirectory: database.path });
  return toRunRow(row, database.path);
}

/** What errors call the place where a run is kept. */
export function sourceOf({ database }: SqliteContext, runId: string): DocumentSource {
  return { runId, path: `${database.path} (run ${runId})` };
}

/** Absolute path of the folder for a run's files. */
export function folderOf({ filesDirectory }: SqliteContext, runId: string): string {
  return join(filesDirectory, runId);
}

/** Where the watermark of a run is stored: apart from the database, which may be replaced by an older copy. */
export function watermarkOf(context: SqliteContext, runId: string): WatermarkOptions {
  return { path: join(folderOf(context, runId), "watermark"), runId };
}

/** The lease of a run, as far as can be told without waiting. */
export function leaseOf({ owner }: SqliteContext, row: RunRow): RunLease {
  return { epoch: row.epoch, isHeld: row.owner !== undefined && owner.livenessOf(row.owner) !== "dead" };
}
