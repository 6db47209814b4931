import {
  EngineError,
  type Interrupt,
  type RunChange,
  type RunCluster,
  type RunControl,
  type RunRecord,
  type RunStatus,
  TERMINAL_RUN_STATUSES,
} from "@switchyard/contracts";
import { settleSession } from "@switchyard/runner";
import { notAtWork } from "../runs/not-at-work.ts";
import type { LiveRun, QueuedRun, RunDispatcher } from "../runs/run-dispatcher.ts";
import type { QueueSeat } from "../scheduler/run-scheduler.ts";
import type { ClusterView } from "./cluster-view.ts";
import { FollowedRun } from "./followed-run.ts";
import { createRemoteEngine } from "./remote-engine.ts";

/** Options of `ClusterDispatcher`. */
export interface ClusterDispatcherOptions {
  /** Connection to the cluster. */
  readonly cluster: RunCluster;
  /** State of the cluster. */
  readonly view: ClusterView;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns whether a client of this server reads the events of a run. */
  readonly isWatched: (runId: string) => boolean;
  /** Called once for every run that this server has queued and that has ended. */
  readonly onEnd: (run: QueuedRun, status: RunStatus) => void;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** Interval at which the server looks for runs whose events no client reads any longer, in milliseconds. */
const SWEEP_MS = 30_000;

/** Lets the workers of a cluster execute runs. Connects the callers of this server to their runs through the broker. */
export class ClusterDispatcher implements RunDispatcher {
  readonly #options: ClusterDispatcherOptions;
  /** Runs that this server has queued. */
  readonly #queued = new Map<string, QueuedRun>();
  readonly #followed = new Map<string, Promise<FollowedRun>>();
  readonly #live = new Map<string, FollowedRun>();
  readonly #ending = new Set<Promise<void>>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: ClusterDispatcherOptions) {
    this.#options = options;
    options.view.onChange((change) => this.#apply(change));
    this.#sweep = setInterval(() => this.#forgetUnwatched(), SWEEP_MS);
    this.#sweep.unref();
  }

  find(runId: string): LiveRun | undefined {
    return this.#live.get(runId)?.live;
  }

  async watch({ run_id: runId, owner = "", status }: RunRecord): Promise<LiveRun | undefined> {
    if (TERMINAL_RUN_STATUSES.includes(status)) return undefined;
    const { cluster, onError } = this.#options;
    const followed = this.#followed.get(runId) ?? FollowedRun.open({ runId, owner }, { cluster, onError });
    this.#followed.set(runId, followed);
    const run = await followed.catch((error: unknown) => {
      this.#followed.delete(runId);
      throw error;
    });
    this.#live.set(runId, run);
    // The run may have ended before its events were followed.
    const { record } = await cluster.store.show(runId);
    if (record !== undefined && TERMINAL_RUN_STATUSES.includes(record.status)) this.#end(runId, record.status);
    return run.live;
  }

  enqueue(run: QueuedRun, seat?: QueueSeat): void {
    // The view adds the run to the scheduler when the broker reports it.
    this.#queued.set(run.runId, run);
    seat?.release();
  }

  pump(): void {
    // Workers ask for runs.
  }

  async interrupt(runId: string, interrupt: Interrupt): Promise<void> {
    const { cluster, view, now } = this.#options;
    const run = view.find(runId);
    if (run?.record.status === "queued" && run.holder === undefined) {
      const { engine: engineName } = run.record;
      const options = { engine: createRemoteEngine(engineName), engineName, store: cluster.store, now };
      const error = new EngineError("run.interrupted", { cause: interrupt.cause });
      const isEnded = await settleSession(runId, { ...options, error }).then(
        () => true,
        (failure: unknown) => {
          // A worker has started the run in the meantime.
          if (EngineError.is(failure, "run.leased")) return false;
          throw EngineError.is(failure, "run.finished") ? notAtWork(runId, "over") : failure;
        },
      );
      if (isEnded) return;
    }
    await this.control(runId, { kind: "interrupt", interrupt });
  }

  async control(runId: string, control: RunControl): Promise<void> {
    const { cluster, view } = this.#options;
    if (await cluster.sendControl(runId, control)) return;
    throw notAtWork(runId, view.find(runId) === undefined ? "over" : "waiting");
  }

  withdraw(): void {
    // The store rejects the deletion of a run that a worker executes.
  }

  async ended(): Promise<boolean> {
    // The last write of a worker both ends the run and releases its lease.
    return false;
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#ending]);
  }

  /** Stops following runs. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    for (const run of this.#live.values()) run.stop();
    await this.settled();
  }

  #apply({ runId, record }: RunChange): void {
    const status = record?.status;
    if (status !== undefined && !TERMINAL_RUN_STATUSES.includes(status)) return;
    this.#end(runId, status ?? "error");
    const queued = this.#queued.get(runId);
    this.#queued.delete(runId);
    if (queued !== undefined && status !== undefined) this.#options.onEnd(queued, status);
  }

  /** Sends the remaining events of a run that has ended to its clients, and ends their streams. */
  #end(runId: string, status: RunStatus): void {
    const run = this.#live.get(runId);
    if (run === undefined) return;
    this.#live.delete(runId);
    this.#followed.delete(runId);
    const ending = run.end(status).catch(this.#options.onError);
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }

  #forgetUnwatched(): void {
    for (const [runId, run] of this.#live) {
      if (this.#options.isWatched(runId)) continue;
      this.#live.delete(runId);
      this.#followed.delete(runId);
      run.stop();
    }
  }
}
