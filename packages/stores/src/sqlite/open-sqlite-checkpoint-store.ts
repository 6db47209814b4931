import { resolve } from "node:path";
import type { CheckpointDeleter, CheckpointLister, CheckpointStore } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { FlushMode } from "../flush/flush-scheduler.ts";
import { type CheckpointLog, createCheckpointLog, readCheckpoint } from "./checkpoint-log.ts";
import { openDatabase } from "./open-database.ts";
import { DEFAULT_WAIT_MS } from "./open-sqlite-store.ts";
import { clearDeletedRuns } from "./remove-runs.ts";
import type { Writes } from "./statements.ts";

/** Options for `openSqliteCheckpointStore`. */
export interface SqliteCheckpointStoreOptions {
  /** Path of the database file; created if it does not exist. A store of runs may use the same file. */
  readonly path: string;
  /** Maximum time to wait while other processes write to the database, in milliseconds. Default: 10,000. */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * Thread that waits while data is flushed to disk. `adaptive` (default): this thread while flushes take only a few
   * milliseconds and only one session writes, otherwise another thread. `background`: always another thread. See
   * docs/guides/stores.md: avoid waiting for the disk.
   */
  readonly flush?: FlushMode | undefined;
}

/**
 * A store that contains only checkpoints, no runs and leases. If several processes save a checkpoint, the last one is
 * used.
 */
export interface SqliteCheckpointStore extends CheckpointStore, CheckpointLister, CheckpointDeleter, AsyncDisposable {
  /** Finishes pending writes and closes the file. */
  close(): Promise<void>;
}

// Maximum number of runs whose last checkpoint is held in memory, so that the next one is stored as the difference to
// it. For any other run, the next checkpoint is stored completely.
const MAX_LOGS = 256;

/**
 * Opens a store of checkpoints in a SQLite database, for hosts that store runs elsewhere. Requires the package
 * `libsql`. Rejects like `openSqliteStore`. See engine: CheckpointStore, CheckpointLister, CheckpointDeleter.
 */
export async function openSqliteCheckpointStore(options: SqliteCheckpointStoreOptions): Promise<SqliteCheckpointStore> {
  const path = resolve(options.path);
  const database = await openDatabase({
    path,
    busyTimeoutMs: options.busyTimeoutMs ?? DEFAULT_WAIT_MS,
    flush: options.flush ?? "adaptive",
  });
  const logs = new Map<string, CheckpointLog>();
  let closed: Promise<void> | undefined;

  function logOf(execId: string): CheckpointLog {
    const log =
      logs.get(execId) ?? createCheckpointLog(database, { ...sourceOf(path, execId), claim: claimer(execId) });
    // The first entry of the map is the least recently used one.
    logs.delete(execId);
    logs.set(execId, log);
    const [oldest] = logs.keys();
    if (logs.size > MAX_LOGS && oldest !== undefined) {
      void logs.get(oldest)?.removeSuperseded();
      logs.delete(oldest);
    }
    return log;
  }
  async function tidyAndClose(): Promise<void> {
    for (const log of logs.values()) await log.removeSuperseded();
    await database.close();
  }
  async function close(): Promise<void> {
    closed ??= tidyAndClose();
    await closed;
  }
  return {
    save: async (checkpoint) => {
      assertRunId(checkpoint.execId);
      await logOf(checkpoint.execId).save(checkpoint);
    },
    load: async (execId) => {
      assertRunId(execId);
      const [key] = (await database.read((get) => get("savedRun").get([execId]))) ?? [];
      if (typeof key !== "number") return undefined;
      return (await readCheckpoint(database, { key: -key, ...sourceOf(path, execId) }))?.checkpoint;
    },
    list: async () => {
      const rows = await database.read((get) => get("savedRuns").all([]));
      return rows.flatMap(([id]) => (typeof id === "string" ? [id] : []));
    },
    delete: async (execId) => {
      assertRunId(execId);
      logs.delete(execId);
      await database.write((run) => {
        const [key] = run("deleteSavedRun").get([execId]) ?? [];
        if (typeof key === "number") run("markDeleted").run([-key]);
      }, "power");
      await clearDeletedRuns(database);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a function that is called in a transaction, and finds or creates the checkpoint log of a run. */
function claimer(execId: string): (run: Writes) => number {
  return (run) => {
    const [key] = run("insertSavedRun").get([execId]) ?? [];
    if (typeof key !== "number") throw new Error("the database gave no key");
    run("insertLog").run([-key]);
    return -key;
  };
}

function sourceOf(path: string, execId: string): { path: string; runId: string } {
  return { path: `${path} (run ${execId})`, runId: execId };
}
