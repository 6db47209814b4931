import {
  type ClusterWorker,
  isoTime,
  type RunChange,
  type RunCluster,
  type RunRecord,
  TERMINAL_RUN_STATUSES,
} from "@switchyard/contracts";
import { needsOfRecord } from "../scheduler/run-needs.ts";
import type { RunScheduler } from "../scheduler/run-scheduler.ts";
import { queuedAtMsOf, type ScheduledRun } from "../scheduler/scheduled-run.ts";

/** Time without an announcement after which a worker counts as gone, in milliseconds. */
const WORKER_GONE_MS = 15_000;
/**
 * A process counts as dead after this many lease durations without a heartbeat. A lease is its exclusive right to
 * execute a run.
 */
const SILENT_LEASES = 1.2;

/** Wait before the runs are watched again after an error, in milliseconds. */
const PAUSE_MS = 500;

/** A run of the cluster that has not ended. */
export interface ClusterRun {
  /** Record of the run. */
  readonly record: RunRecord;
  /** Token that identifies the process working on the run. `undefined` if there is none. */
  readonly holder: string | undefined;
  /**
   * Time at which this server first saw the process as holder, or first saw that there is none, in milliseconds of the
   * monotonic clock.
   */
  readonly heldSinceMs: number;
}

/**
 * Called with a change of a run, and the state of the run before the change. `before` is `undefined` if the run is new to
 * this server or had ended.
 */
type ChangeListener = (change: RunChange, before: ClusterRun | undefined) => void;

/** Options of `ClusterView`. */
export interface ClusterViewOptions {
  /** Connection to the cluster. */
  readonly cluster: RunCluster;
  /** Scheduler that is updated with every change of a run. */
  readonly scheduler: RunScheduler;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called with errors of the connection. */
  readonly onError: (error: unknown) => void;
}

/** Returns what the scheduler needs to know about a stored run: its requirements, owner, priority and age. */
function toScheduled(record: RunRecord): ScheduledRun {
  const { run_id: runId, owner = "", placement } = record;
  const needs = needsOfRecord(record);
  return { runId, queuedAtMs: queuedAtMsOf(record), owner, priority: placement?.priority, needs };
}

/**
 * What a server knows about its cluster: unfinished runs, workers and heartbeats. Every server has the same view, so
 * each of them can lead at any time.
 */
export class ClusterView {
  readonly #options: ClusterViewOptions;
  readonly #runs = new Map<string, ClusterRun>();
  readonly #workers = new Map<string, { readonly worker: ClusterWorker; readonly seenMs: number }>();
  readonly #beats = new Map<string, number>();
  readonly #listeners = new Set<ChangeListener>();
  /** Functions to call when runs end, by the id of the run. */
  readonly #awaited = new Map<string, () => void>();
  readonly #closing = new AbortController();
  /**
   * Time at which the connection to the broker was last restored. Heartbeats that were sent while it was interrupted
   * are missing, which does not mean that their senders are dead.
   */
  #connectedMs = 0;
  #watching: Promise<void> | undefined;
  #stops: (() => void)[] = [];

  constructor(options: ClusterViewOptions) {
    this.#options = options;
  }

  /** Starts to receive changes. */
  start(): void {
    const { cluster, monotonic } = this.#options;
    this.#stops = [
      cluster.onHeartbeat((token) => void this.#beats.set(token, monotonic())),
      cluster.onWorker((worker) => this.note(worker)),
      cluster.onReconnect(() => {
        this.#connectedMs = monotonic();
      }),
    ];
    this.#watching = this.#watch();
  }

  /** Returns an unfinished run. */
  find(runId: string): ClusterRun | undefined {
    return this.#runs.get(runId);
  }

  /** Calls a listener after each change of a run. */
  onChange(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  /**
   * Resolves when a run ends or is deleted. Call the method before the run is stored, because a run that has already
   * ended is not reported again.
   */
  ended(runId: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(runId, resolve));
  }

  /** Removes the callback that `ended` has stored for a run. */
  forgetAwaited(runId: string): void {
    this.#awaited.delete(runId);
  }

  /** Stores what a worker announced about itself. */
  note(worker: ClusterWorker): void {
    // A worker that shuts down has neither runs nor free slots. Other workers may take its runs immediately.
    if (worker.free === 0 && worker.running === 0) this.#workers.delete(worker.name);
    else this.#workers.set(worker.name, { worker, seenMs: this.#options.monotonic() });
  }

  /** Removes a worker whose process is dead, so that other workers may take its runs immediately. */
  forget(worker: string | undefined): void {
    if (worker !== undefined) this.#workers.delete(worker);
  }

  /** Returns the workers that were seen lately. */
  workers(): ClusterWorker[] {
    const sinceMs = this.#options.monotonic() - WORKER_GONE_MS;
    for (const [name, { seenMs }] of this.#workers) if (seenMs < sinceMs) this.#workers.delete(name);
    return [...this.#workers.values()].map(({ worker }) => worker);
  }

  /** Returns a worker that was seen lately. */
  findWorker(name: string): ClusterWorker | undefined {
    const seen = this.#workers.get(name);
    const isAlive = seen !== undefined && seen.seenMs >= this.#options.monotonic() - WORKER_GONE_MS;
    return isAlive ? seen.worker : undefined;
  }

  /**
   * Returns the runs whose process counts as dead, because it has sent no heartbeat for longer than a lease lasts, and
   * runs that have no process although they are not queued.
   */
  lostRuns(): ClusterRun[] {
    const nowMs = this.#options.monotonic();
    const silentMs = this.#options.cluster.leaseMs * SILENT_LEASES;
    const lost: ClusterRun[] = [];
    for (const [token, seenMs] of this.#beats) if (nowMs - seenMs > silentMs) this.#beats.delete(token);
    for (const run of this.#runs.values()) {
      const { holder, record, heldSinceMs } = run;
      if (holder === undefined) {
        if (record.status !== "queued") lost.push(run);
        continue;
      }
      // A process without runs sends no heartbeats, so an old heartbeat says nothing about a new holder.
      const seenMs = Math.max(heldSinceMs, this.#beats.get(holder) ?? 0, this.#connectedMs);
      if (nowMs - seenMs > silentMs) lost.push(run);
    }
    return lost;
  }

  /** Stops receiving changes. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const stop of this.#stops) stop();
    await this.#watching;
  }

  /**
   * Applies changes until the view is closed. After an error of the broker, starts with the state of all runs again.
   */
  async #watch(): Promise<void> {
    const { cluster, onError } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        for await (const change of cluster.watchRuns(signal)) {
          const before = this.find(change.runId);
          this.#apply(change);
          for (const listener of this.#listeners) listener(change, before);
        }
      } catch (error) {
        onError(error);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  #apply({ runId, record, holder }: RunChange): void {
    const { scheduler, now, monotonic } = this.#options;
    const today = isoTime(now()).slice(0, 10);
    if (record?.started_at?.slice(0, 10) === today) scheduler.countStart(record.owner ?? "", { runId, day: today });
    if (record === undefined || TERMINAL_RUN_STATUSES.includes(record.status)) {
      this.#runs.delete(runId);
      this.#awaited.get(runId)?.();
      scheduler.remove(runId);
      scheduler.ended(runId);
      return;
    }
    const before = this.#runs.get(runId);
    const heldSinceMs = before?.holder === holder ? before?.heldSinceMs : undefined;
    this.#runs.set(runId, { record, holder, heldSinceMs: heldSinceMs ?? monotonic() });
    if (record.status === "queued" && holder === undefined) {
      scheduler.ended(runId);
      scheduler.push(toScheduled(record));
    } else {
      scheduler.started({ runId, owner: record.owner ?? "" });
    }
  }
}
