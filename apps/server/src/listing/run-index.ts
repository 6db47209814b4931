import {
  type ListedRun,
  type RunRecord,
  type RunStore,
  type StoredRun,
  TERMINAL_RUN_STATUSES,
} from "@switchyard/contracts";

/**
 * A request waits for a refresh of the index only if the refresh is expected to take at most this long, in
 * milliseconds.
 */
const MAX_AWAITED_MS = 20;
/**
 * Minimum time between two index refreshes, as a multiple of the duration of a refresh. Limits the share of the
 * server's time that refreshes use.
 */
const REST_RATIO = 20;

/** A run in the index. */
export interface IndexedRun {
  /** Record of the run, as last written or read. */
  readonly record: RunRecord;
  /** Whether a live process holds the run's lease (the exclusive right to execute it) and may write to the run. */
  readonly isHeld: boolean;
  /** Sort key: time at which the run was accepted, then id. Greater for newer runs. */
  readonly position: string;
  /** Lower-case text of the run that a search matches. */
  readonly text: string;
}

/** Options of `RunIndex`. */
export interface RunIndexOptions {
  /** Store of the runs. */
  readonly store: Pick<RunStore, "list" | "show">;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** Called if an index refresh in the background fails. */
  readonly onError: (error: unknown) => void;
}

function toIndexedRun(record: RunRecord, isHeld: boolean): IndexedRun {
  const { run_id: runId, title, engine, model = "", owner = "" } = record;
  const text = `${title} ${engine} ${model} ${runId} ${owner}`.toLowerCase();
  return { record, isHeld, position: `${record.created_at} ${runId}`, text };
}

/**
 * Index of all runs in memory, so that requests for lists need not read the store. Writes by this process update the
 * index immediately ({@link RunIndex.put}). Writes by other processes are found by refreshes. If the store is small,
 * the index is refreshed before each response. Otherwise it is refreshed in the background, which takes at most 5 % of
 * the time. Damaged runs are omitted, because their owner is unknown.
 */
export class RunIndex {
  readonly #options: RunIndexOptions;
  readonly #runs = new Map<string, IndexedRun>();
  #sorted: readonly IndexedRun[] | undefined;
  /**
   * For each read of the store that is in progress: the ids of the runs that this process has written since the read
   * began.
   */
  readonly #reads = new Set<Set<string>>();
  #refreshing: Promise<void> | undefined;
  #durationMs: number | undefined;
  #refreshedAt = 0;

  constructor(options: RunIndexOptions) {
    this.#options = options;
  }

  /** Updates the index with a run that this process has written. */
  put(record: RunRecord, isHeld: boolean): void {
    this.#note(record.run_id);
    this.#runs.set(record.run_id, toIndexedRun(record, isHeld));
  }

  /** Marks a run in the index as no longer written by this process. */
  release(runId: string): void {
    const found = this.#runs.get(runId);
    if (found !== undefined) this.put(found.record, false);
  }

  /** Removes a deleted run from the index. */
  remove(runId: string): void {
    this.#note(runId);
    this.#runs.delete(runId);
  }

  /** Resolves with all runs, newest first. Rejects with `store.unreadable` if the index could not be filled. */
  async all(): Promise<readonly IndexedRun[]> {
    await this.#catchUp();
    this.#sorted ??= [...this.#runs.values()].sort((left, right) => (left.position < right.position ? 1 : -1));
    return this.#sorted;
  }

  /**
   * Reads all runs of the store, updates the index and resolves with the runs. Rejects with the errors of
   * `RunStore.list`.
   */
  async list(): Promise<ListedRun[]> {
    const { store, monotonic } = this.#options;
    const startedMs = monotonic();
    const written = new Set<string>();
    this.#reads.add(written);
    try {
      const listed = await store.list();
      this.#replace(listed, written);
      this.#refreshedAt = monotonic();
      this.#durationMs = this.#refreshedAt - startedMs;
      return listed;
    } finally {
      this.#reads.delete(written);
    }
  }

  /**
   * Reads one run of the store. If the run has ended, the index is updated too. Otherwise a list could still show the
   * run as running, because the index learns of the end ({@link RunIndex.put}) shortly after the store. Rejects with
   * the errors of `RunStore.show`.
   */
  async show(runId: string): Promise<StoredRun> {
    const written = new Set<string>();
    this.#reads.add(written);
    try {
      const stored = await this.#options.store.show(runId);
      const { record, lease } = stored;
      const hasEnded = record !== undefined && TERMINAL_RUN_STATUSES.includes(record.status);
      if (hasEnded && lease !== undefined && !written.has(runId)) this.put(record, lease.isHeld);
      return stored;
    } finally {
      this.#reads.delete(written);
    }
  }

  #note(runId: string): void {
    for (const written of this.#reads) written.add(runId);
    this.#sorted = undefined;
  }

  /** Refreshes the index. Concurrent calls share one read of the store. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.list()
      .then(() => undefined)
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  async #catchUp(): Promise<void> {
    const { monotonic, onError } = this.#options;
    const durationMs = this.#durationMs;
    if (durationMs === undefined || durationMs <= MAX_AWAITED_MS) return this.#refresh();
    if (monotonic() - this.#refreshedAt >= durationMs * REST_RATIO) this.#refresh().catch(onError);
  }

  /** Replaces all runs in the index, except those that this process has written since the read of the store began. */
  #replace(listed: readonly ListedRun[], written: ReadonlySet<string>): void {
    const ids = new Set<string>();
    for (const run of listed) {
      if (!("record" in run)) continue;
      ids.add(run.runId);
      if (!written.has(run.runId)) this.#runs.set(run.runId, toIndexedRun(run.record, run.lease.isHeld));
    }
    for (const runId of this.#runs.keys()) if (!ids.has(runId) && !written.has(runId)) this.#runs.delete(runId);
    this.#sorted = undefined;
  }
}
