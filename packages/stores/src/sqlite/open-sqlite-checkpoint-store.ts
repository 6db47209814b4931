import { resolve } from "node:path";
import type { CheckpointDeleter, CheckpointLister, CheckpointStore } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { FlushMode } from "../flush/flush-pace.ts";
import { type CheckpointLog, createCheckpointLog, readCheckpoint } from "./checkpoint-log.ts";
import { openDatabase } from "./open-database.ts";
import { DEFAULT_WAIT_MS } from "./open-sqlite-store.ts";
import { clearDeletedRuns } from "./remove-runs.ts";
import type { Writes } from "./statements.ts";

/** How a store of checkpoints alone is opened. */
export interface SqliteCheckpointStoreOptions {
  /** Path of the database file; it is made when there is none. It may be that of a store of runs. */
  readonly path: string;
  /** Milliseconds to wait while other processes write; 10,000 by default. */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * Where a lone session waits for the disk; `adaptive` by default: on this thread while flushes take less than a few
   * milliseconds. `background`: never on this thread. README: when the process waits for the disk.
   */
  readonly flush?: FlushMode | undefined;
}

/** A store of checkpoints without runs: no leases, the last one who saves is right. */
export interface SqliteCheckpointStore extends CheckpointStore, CheckpointLister, CheckpointDeleter, AsyncDisposable {
  /** Keeps what waits, and closes the file. */
  close(): Promise<void>;
}

// Runs whose next checkpoint is kept as what changed; each holds on to a board.
const MAX_LOGS = 256;

/**
 * Opens a store of checkpoints in a SQLite database, for hosts that keep runs in their own way. Needs the package
 * `libsql`. Rejects like `openSqliteStore`. engine: CheckpointStore, CheckpointLister, CheckpointDeleter.
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
    // The one that was not used for the longest time is the first.
    logs.delete(execId);
    logs.set(execId, log);
    const [oldest] = logs.keys();
    if (logs.size > MAX_LOGS && oldest !== undefined) {
      void logs.get(oldest)?.tidy();
      logs.delete(oldest);
    }
    return log;
  }
  async function tidyAndClose(): Promise<void> {
    for (const log of logs.values()) await log.tidy();
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

/** Finds the log of a run inside a transaction, or begins it. */
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
