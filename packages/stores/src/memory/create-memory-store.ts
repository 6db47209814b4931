import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  EngineError,
  type GarbageOptions,
  type ListedRun,
  RESUMABLE_RUN_STATUSES,
  type RunRecord,
  type RunRequest,
  type RunStore,
  type RunWriter,
  type StoredRun,
} from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import { parseRunRequest, parseSessionReport, sealRunRequest } from "../codec/run-documents.ts";
import { sealDocument } from "../codec/sealed-text.ts";
import { createMemoryDocuments } from "./create-memory-documents.ts";
import { createMemoryWriter } from "./create-memory-writer.ts";
import { checkpointOf, eventsOf, type MemoryRun, recordOf } from "./memory-run.ts";

/** Options for `createMemoryStore`. */
export interface MemoryStoreOptions {
  /**
   * Folder for the files of runs: each run gets the path of a folder below it. The store does not create these folders.
   * Default: the system's temporary folder.
   */
  readonly directory?: string | undefined;
  /** Function that returns the time, in milliseconds since 1970, from which the age of runs is computed. */
  readonly now?: (() => number) | undefined;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

async function listedRun(run: MemoryRun): Promise<ListedRun & { record: RunRecord }> {
  const { runId, folder: location, epoch, isHeld } = run;
  return { runId, location, record: await recordOf(run), lease: { epoch, isHeld } };
}

async function storedRun(run: MemoryRun): Promise<StoredRun> {
  const { runId, folder, epoch, isHeld } = run;
  const source = { runId, path: `memory:${runId}` };
  const request = await parseRunRequest(run.request, source);
  const report = run.report === undefined ? undefined : await parseSessionReport(run.report, source);
  return { runId, folder, record: await recordOf(run), request, report, lease: { epoch, isHeld }, problems: [] };
}

async function isGarbage(run: MemoryRun, options: GarbageOptions): Promise<boolean> {
  const { status, finished_at } = await recordOf(run);
  const isResumable = RESUMABLE_RUN_STATUSES.includes(status);
  if (run.isHeld || (isResumable && options.includeResumable !== true)) return false;
  const endedMs = isResumable ? Number.NaN : Date.parse(finished_at ?? "");
  return (Number.isNaN(endedMs) ? run.writtenMs : endedMs) < options.before;
}

/** Collection of the runs in an in-memory store. */
class MemoryRuns {
  readonly #runs = new Map<string, MemoryRun>();
  readonly #directory: string;
  readonly #now: () => number;

  constructor({ directory = join(tmpdir(), "switchyard-runs"), now = Date.now }: MemoryStoreOptions) {
    this.#directory = directory;
    this.#now = now;
  }

  get all(): MemoryRun[] {
    return [...this.#runs.values()];
  }

  find(runId: string): MemoryRun {
    assertRunId(runId);
    const run = this.#runs.get(runId);
    if (run === undefined) throw new EngineError("run.not_found", { runId, stateDirectory: "memory" });
    return run;
  }

  create(record: RunRecord, request: RunRequest): RunWriter {
    const runId = record.run_id;
    assertRunId(runId);
    if (this.#runs.has(runId)) throw new EngineError("run.conflict", { runId });
    const run: MemoryRun = {
      runId,
      folder: join(this.#directory, runId),
      record: sealDocument(record),
      request: sealRunRequest(runId, request),
      report: undefined,
      events: [],
      checkpoints: [],
      epoch: 1,
      isHeld: true,
      writtenMs: this.#now(),
      onLost: () => {},
    };
    this.#runs.set(runId, run);
    return createMemoryWriter(run, { ...structuredClone({ record, request }), now: this.#now });
  }

  async acquire(runId: string, takeOver: boolean): Promise<RunWriter> {
    const run = this.find(runId);
    const request = await parseRunRequest(run.request, { runId, path: `memory:${runId}` });
    let text: string;
    let record: RunRecord;
    // If the current writer changes the record during the read, the record is read again. The run is taken from the
    // current writer only after a read without such a change.
    do {
      text = run.record;
      record = await recordOf(run);
    } while (text !== run.record);
    this.#take(run, takeOver);
    return createMemoryWriter(run, { record, request, now: this.#now });
  }

  remove(run: MemoryRun): void {
    this.#take(run, false);
    run.isHeld = false;
    this.#runs.delete(run.runId);
  }

  #take(run: MemoryRun, takeOver: boolean): void {
    if (this.#runs.get(run.runId) !== run) {
      throw new EngineError("run.not_found", { runId: run.runId, stateDirectory: "memory" });
    }
    if (run.isHeld && !takeOver) throw new EngineError("run.leased", { runId: run.runId, owner: "this process" });
    if (run.isHeld) run.onLost();
    run.epoch += 1;
    run.isHeld = true;
  }
}

/**
 * Creates an in-memory store, for tests: the complete contract of a run store, except that nothing survives the
 * process. Data is stored as text, as in other stores, so that callers cannot change stored data. See architecture:
 * durability.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): RunStore {
  const runs = new MemoryRuns(options);
  return {
    durability: "process",
    documents: createMemoryDocuments(),
    create: async (record, request) => runs.create(record, request),
    acquire: async (runId, { takeOver = false, signal } = {}) => {
      signal?.throwIfAborted();
      return await runs.acquire(runId, takeOver);
    },
    list: async () => {
      const listed = await Promise.all(runs.all.map(listedRun));
      const dateOf = ({ record, runId }: { record: RunRecord; runId: string }): string =>
        `${record.created_at} ${runId}`;
      return listed.sort((left, right) => compareTexts(dateOf(right), dateOf(left)));
    },
    show: async (runId) => storedRun(runs.find(runId)),
    events: async function* (runId, afterSeq = 0) {
      yield* eventsOf(runs.find(runId), afterSeq);
    },
    load: async (runId) => (await checkpointOf(runs.find(runId)))?.checkpoint,
    delete: async (runId) => runs.remove(runs.find(runId)),
    collectGarbage: async (garbage) => {
      const removed: string[] = [];
      for (const run of runs.all) {
        if (!(await isGarbage(run, garbage)) || run.isHeld) continue;
        runs.remove(run);
        removed.push(run.runId);
      }
      return removed.sort();
    },
    close: async () => {
      for (const run of runs.all) run.isHeld = false;
    },
  };
}
