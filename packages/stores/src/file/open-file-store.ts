import { join, resolve } from "node:path";
import type { RunStore, RunWriter } from "@switchyard/contracts";
import type { Owner } from "@switchyard/process-owner";
import { createProcessOwner } from "@switchyard/process-owner";
import type { FlushMode } from "../flush/flush-pace.ts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import { createNodeFiles, NODE_FILES, type StoreFiles } from "./disk/store-files.ts";
import { readCheckpoint } from "./log/checkpoint-files.ts";
import { readEvents } from "./log/event-log.ts";
import { listRuns, showRun } from "./run/list-runs.ts";
import { acquireWriter, createWriter } from "./run/open-writer.ts";
import { collectGarbage, removeRun } from "./run/remove-run.ts";
import { RUNS_FOLDER } from "./run/run-layout.ts";
import { runFolder, type StoreContext } from "./run/store-context.ts";

/** Time without a sign of life after which a writer counts as gone, in milliseconds. */
const DEFAULT_LEASE_MS = 10_000;

/** Where runs are kept, and what stands in for the world in tests. */
export interface FileStoreOptions {
  /** State folder; it is made with the first run. */
  readonly directory: string;
  /** Who this process is to other writers; the process itself by default. */
  readonly owner?: Owner | undefined;
  /** Measures and waits; the system's monotonic clock by default. */
  readonly timer?: StoreTimer | undefined;
  /** What changes the disk; the disk itself by default. For tests of faults. */
  readonly files?: StoreFiles | undefined;
  /**
   * Where a session waits for the disk; `adaptive` by default: on this thread while flushes take less than a few
   * milliseconds. `background`: never on this thread. It says nothing about `files` of your own.
   * README: when the process waits for the disk.
   */
  readonly flush?: FlushMode | undefined;
  /** Milliseconds without a sign of life after which a writer whose process cannot be watched counts as gone; 10,000 by default. */
  readonly leaseMs?: number | undefined;
  /** Milliseconds since 1970; marks signs of life, which others only compare for being different. */
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
 * Opens the runs of a state folder: one folder per run, readable files in it, no other process needed. Acknowledged
 * records and checkpoints outlive the loss of power, events the end of the process. Nothing is made before the first
 * run. architecture: files of a run; D1, D2, D3, D6, D8.
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
