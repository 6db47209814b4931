import { join, resolve } from "node:path";
import type { RunStore, RunWriter } from "@switchyard/contracts";
import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import type { FlushMode } from "../flush/flush-scheduler.ts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import { createNodeFiles, NODE_FILES, type StoreFiles } from "./disk/store-files.ts";
import { createFileDocuments } from "./documents/create-file-documents.ts";
import { readCheckpoint } from "./log/checkpoint-files.ts";
import { readEvents } from "./log/event-log.ts";
import { listRuns, showRun } from "./run/list-runs.ts";
import { acquireWriter, createWriter } from "./run/open-writer.ts";
import { collectGarbage, removeRun } from "./run/remove-run.ts";
import { RUNS_FOLDER } from "./run/run-layout.ts";
import { runFolder, type StoreContext } from "./run/store-context.ts";

/** Default time, in milliseconds, after which a writer without heartbeats counts as dead. */
const DEFAULT_LEASE_MS = 10_000;

/** Options for `openFileStore`. */
export interface FileStoreOptions {
  /** State folder; created with the first run. */
  readonly directory: string;
  /**
   * Identity of this process in leases. Other writers use it to check whether this process is alive. Default: the
   * identity of the process that opens the store.
   */
  readonly owner?: Owner | undefined;
  /** Clock and timers. Default: the system's monotonic clock. */
  readonly timer?: StoreTimer | undefined;
  /** Implementation of the operations that change the disk, which fault tests replace. Default: the real disk. */
  readonly files?: StoreFiles | undefined;
  /**
   * Thread that waits while data is flushed to disk. `adaptive` (default): this thread while flushes take only a few
   * milliseconds, otherwise another thread. `background`: always another thread. Has no effect with custom `files`. See
   * docs/guides/stores.md: avoid waiting for the disk.
   */
  readonly flush?: FlushMode | undefined;
  /**
   * Time, in milliseconds, after which a writer on another machine counts as dead if it sends no heartbeat. Default:
   * 10,000.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Function that returns the time to store as a heartbeat, in milliseconds since 1970. Other processes only check
   * whether the time changes.
   */
  readonly now?: (() => number) | undefined;
}

function contextOf(options: FileStoreOptions): StoreContext {
  const directory = resolve(options.directory);
  return {
    directory,
    runs: join(directory, RUNS_FOLDER),
    owner: options.owner ?? createProcessOwner(),
    timer: options.timer ?? SYSTEM_TIMER,
    files: options.files ?? (options.flush === "background" ? createNodeFiles("background") : NODE_FILES),
    leaseMs: options.leaseMs ?? DEFAULT_LEASE_MS,
    now: options.now ?? Date.now,
  };
}

/**
 * Opens a store of runs in a state folder: one folder per run with readable files, and no server process. Acknowledged
 * records and checkpoints survive a power failure. Acknowledged events survive the end of the process. Files are
 * created only with the first run. See architecture: a run on disk; durability promises D1, D2, D3, D6, D8.
 */
export function openFileStore(options: FileStoreOptions): RunStore {
  const context = contextOf(options);
  const writers = new Set<RunWriter>();

  async function hold(opening: Promise<RunWriter>): Promise<RunWriter> {
    const writer = await opening;
    writers.add(writer);
    return writer;
  }
  const onReleased = (writer: RunWriter): void => {
    writers.delete(writer);
  };
  return {
    durability: "power",
    documents: createFileDocuments(context),
    create: (record, request) => hold(createWriter(context, { record, request }, onReleased)),
    acquire: (runId, acquiring = {}) => hold(acquireWriter(context, { ...acquiring, runId }, onReleased)),
    list: () => listRuns(context),
    show: async (runId) => showRun(context, { runId, folder: await runFolder(context, runId) }),
    events: async function* (runId, afterSeq = 0) {
      const folder = await runFolder(context, runId);
      yield* readEvents(context, { runId, folder }, afterSeq);
    },
    load: async (runId) => {
      const found = await readCheckpoint(context, { runId, folder: await runFolder(context, runId) });
      return found?.decoded.checkpoint;
    },
    delete: async (runId) => {
      await removeRun(context, runId);
    },
    collectGarbage: (garbage) => collectGarbage(context, garbage),
    close: async () => {
      await Promise.all([...writers].map((writer) => writer.release()));
    },
  };
}
