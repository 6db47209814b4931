import { resolve } from "node:path";
import {
  type AcquireOptions,
  EngineError,
  type RunRecord,
  type RunRequest,
  type RunStore,
  type RunWriter,
} from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import { sealRunRequest } from "../codec/run-documents.ts";
import type { FlushMode } from "../flush/flush-scheduler.ts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import { removeWatermark } from "../watermark/run-watermark.ts";
import { LeaseRegistry } from "./lease-registry.ts";
import { openDatabase } from "./open-database.ts";
import { loadNewest, makeFolder, openRunWriter, resumeRunWriter, sealed } from "./open-run-writer.ts";
import { clearDeletedRuns, collectGarbage, deleteRun } from "./remove-runs.ts";
import { findRun, type SqliteContext, sourceOf, watermarkOf } from "./sqlite-context.ts";
import { createSqliteDocuments } from "./sqlite-documents.ts";
import { storedEvents } from "./stored-events.ts";
import { listRuns, showRun } from "./stored-runs.ts";
import { takeLease } from "./take-lease.ts";

/** Options for `openSqliteStore`. */
export interface SqliteStoreOptions {
  /** Path of the database file; created if it does not exist. It must not be on a network drive. */
  readonly path: string;
  /** Folder with one folder per run, for files of the run such as artifacts. Default: `<path>.files`. */
  readonly filesDirectory?: string | undefined;
  /**
   * Identity of this process in leases. Other writers use it to check whether this process is alive. Default: the
   * identity of the process that opens the store.
   */
  readonly owner?: Owner | undefined;
  /** Clock and timers. Default: the system's monotonic clock. */
  readonly timer?: StoreTimer | undefined;
  /** Time without a heartbeat after which another process may take over a run, in milliseconds. Default: 10,000. */
  readonly leaseMs?: number | undefined;
  /** Maximum time to wait while other processes write to the database, in milliseconds. Default: 10,000. */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * Thread that waits while data is flushed to disk. `adaptive` (default): this thread while flushes take only a few
   * milliseconds and only one session writes, otherwise another thread. `background`: always another thread. See
   * docs/guides/stores.md: avoid waiting for the disk.
   */
  readonly flush?: FlushMode | undefined;
  /** Function that returns the time, in milliseconds since 1970, from which the age of runs is computed. */
  readonly now?: (() => number) | undefined;
}

/** Maximum wait for a lease or a locked database, in milliseconds. */
export const DEFAULT_WAIT_MS = 10_000;

/**
 * Opens a store of runs in a SQLite database, for servers. Many sessions of this and other processes can share the
 * database, and concurrent writes share a flush. Requires the package `libsql`. Rejects with `store.driver_missing`,
 * `store.newer_format`, `store.malformed` or `run.store_failed`. See engine: CheckpointStore; durability promises D1 to
 * D8.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<RunStore> {
  const path = resolve(options.path);
  const database = await openDatabase({
    path,
    busyTimeoutMs: options.busyTimeoutMs ?? DEFAULT_WAIT_MS,
    flush: options.flush ?? "adaptive",
  });
  const context: SqliteContext = {
    database,
    filesDirectory: resolve(options.filesDirectory ?? `${path}.files`),
    owner: options.owner ?? createProcessOwner(),
    timer: options.timer ?? SYSTEM_TIMER,
    leaseMs: options.leaseMs ?? DEFAULT_WAIT_MS,
    now: options.now ?? Date.now,
  };
  const leases = new LeaseRegistry(context);
  // Removes data of deleted runs that remained because a process died during a removal.
  const cleared = clearDeletedRuns(database).catch(() => undefined);
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    await cleared;
    // Once closed, other processes can take over the runs: the leases are released, or get no more heartbeats.
    await leases.releaseAll().finally(() => database.close());
  }
  return {
    durability: "power",
    documents: createSqliteDocuments(database),
    create: (record, request) => createRun(context, leases, { record, request }),
    acquire: (runId, acquireOptions) => acquireRun(context, leases, { runId, ...acquireOptions }),
    list: () => listRuns(context),
    show: (runId) => showRun(context, runId),
    events: async function* (runId, afterSeq = 0) {
      const { key } = await findRun(context, runId);
      yield* storedEvents(database, { ...sourceOf(context, runId), key, afterSeq });
    },
    load: async (runId) => {
      const { key } = await findRun(context, runId);
      return (await loadNewest(context, { key, runId }))?.checkpoint;
    },
    delete: (runId) => deleteRun(context, leases, { runId }),
    collectGarbage: (garbage) => collectGarbage(context, leases, garbage),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function createRun(
  context: SqliteContext,
  leases: LeaseRegistry,
  { record, request }: { record: RunRecord; request: RunRequest },
): Promise<RunWriter> {
  const { database, owner, now } = context;
  const runId = record.run_id;
  assertRunId(runId);
  const [recordBody, requestBody] = [sealed(record), Buffer.from(sealRunRequest(runId, request))];
  await makeFolder(context, runId);
  const key = await database.write((run) => {
    const [inserted] = run("insertRun").get([runId, owner.token, now(), recordBody]) ?? [];
    if (typeof inserted !== "number") throw new EngineError("run.conflict", { runId });
    run("insertLog").run([inserted]);
    run("putDocument").run([inserted, "request", requestBody]);
    run("beat").run([owner.token, now()]);
    return inserted;
  }, "power");
  // A watermark (recorded progress) that already exists belongs to an earlier run with the same id.
  removeWatermark(watermarkOf(context, runId));
  const lease = leases.hold({ key, runId, epoch: 1 });
  return openRunWriter(context, lease, { record, request, lastSeq: 0 });
}

async function acquireRun(
  context: SqliteContext,
  leases: LeaseRegistry,
  { runId, ...options }: AcquireOptions & { runId: string },
): Promise<RunWriter> {
  const lease = leases.hold(await takeLease(context, runId, options));
  try {
    return await resumeRunWriter(context, lease);
  } catch (error) {
    await lease.release().catch(() => undefined);
    throw error;
  }
}
