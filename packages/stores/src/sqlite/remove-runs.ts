import { rm } from "node:fs/promises";
import { EngineError, type GarbageOptions, RESUMABLE_RUN_STATUSES } from "@switchyard/contracts";
import { parseRunRecord } from "../codec/run-documents.ts";
import type { LeaseRegistry } from "./lease-registry.ts";
import type { Database } from "./open-database.ts";
import { folderOf, type SqliteContext, sourceOf } from "./sqlite-context.ts";
import { toWriteFailure } from "./sqlite-failure.ts";
import type { Writes } from "./statements.ts";
import { runRows } from "./stored-runs.ts";
import { takeLease } from "./take-lease.ts";

// Maximum number of rows that are removed in one transaction, so that other writes do not wait long.
const ROWS_AT_A_TIME = 16;

/** A run to remove. */
interface Removal {
  readonly runId: string;
  /** Epoch that the run must have to be removed. Default: any. */
  readonly epoch?: number | undefined;
}

/** Removes a run with its files. Rejects with `run.leased`, `run.not_found`, `run.invalid_id` or `run.store_failed`. */
export async function deleteRun(
  context: SqliteContext,
  leases: LeaseRegistry,
  { runId, epoch }: Removal,
): Promise<void> {
  const { database } = context;
  const taken = await takeLease(context, runId, { failFast: true });
  const lease = leases.hold(taken);
  try {
    if (epoch !== undefined && taken.epoch !== epoch + 1)
      throw new EngineError("run.leased", { runId, owner: "started recently" });
    const folder = folderOf(context, runId);
    // Files are removed before the run's row: later, they could belong to a new run with the same id.
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
      throw toWriteFailure(error, folder);
    });
    await database.write((run) => {
      lease.check(run);
      run("deleteRun").run([lease.key]);
      run("markDeleted").run([lease.key]);
    }, "power");
    lease.forget();
  } catch (error) {
    await lease.release().catch(() => undefined);
    throw error;
  }
  await clearDeletedRuns(database);
}

/** Removes the remaining data of deleted runs in small steps. Rejects with `run.store_failed`. */
export async function clearDeletedRuns(database: Database): Promise<void> {
  while (await database.write(clearSome, "process"));
}

/** Removes some data of deleted runs. Returns true if there may be more to remove. */
function clearSome(run: Writes): boolean {
  const [key] = run("nextDeleted").get([]) ?? [];
  if (typeof key !== "number") return false;
  const rows = run("clearEvents").run([key, ROWS_AT_A_TIME]) + run("clearLines").run([key, ROWS_AT_A_TIME]);
  if (rows > 0) return true;
  for (const name of ["clearDocuments", "clearLog", "unmarkDeleted"] as const) run(name).run([key]);
  return true;
}

/**
 * Removes old runs that have no writer; resolves with their ids. Damaged runs remain. Rejects with `run.store_failed`.
 */
export async function collectGarbage(
  context: SqliteContext,
  leases: LeaseRegistry,
  options: GarbageOptions,
): Promise<string[]> {
  const removed: string[] = [];
  for (const run of await oldRuns(context, options)) {
    const isRemoved = await deleteRun(context, leases, run).then(
      () => true,
      (error: unknown) => {
        // The run has a writer, or another process has removed it.
        if (EngineError.is(error, "run.leased") || EngineError.is(error, "run.not_found")) return false;
        throw error;
      },
    );
    if (isRemoved) removed.push(run.runId);
  }
  return removed;
}

async function oldRuns(context: SqliteContext, options: GarbageOptions): Promise<Removal[]> {
  const old: Removal[] = [];
  for await (const rows of runRows(context)) {
    for (const { runId, epoch, record, activeAt } of rows) {
      const read = await parseRunRecord(record, sourceOf(context, runId)).catch(() => undefined);
      if (read === undefined) continue;
      const endedAt = read.finished_at === undefined ? activeAt : Date.parse(read.finished_at);
      const isRetained = RESUMABLE_RUN_STATUSES.includes(read.status) && options.includeResumable !== true;
      if (endedAt < options.before && !isRetained) old.push({ runId, epoch });
    }
  }
  return old;
}
