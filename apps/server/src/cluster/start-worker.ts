import { hostname } from "node:os";
import { type ClusterWorker, type DeclineReason, EngineError, type UndoRequest } from "@switchyard/contracts";
import { createRunExecutor, type RunExecutor } from "../run/run-executor.ts";
import { type OfferedFolders, openOfferedFolders } from "./offered-folders.ts";
import { removeEndedWorkspaces } from "./remove-ended-workspaces.ts";
import { REQUEST_MS } from "./run-leader.ts";
import { runOnWorker, type WorkerContext, workspacePartsOf } from "./run-on-worker.ts";
import { undoOnWorker } from "./undo-on-worker.ts";
import type { RunningWorker, WorkerOptions } from "./worker-options.ts";

/** Interval of the worker's announcements, in milliseconds. */
const ANNOUNCE_MS = 2_000;
/** Pause before the next request for runs if the last request returned no run within this time, in milliseconds. */
const PAUSE_MS = 250;
/** Time limit, at shutdown, for interrupted runs to stop, in milliseconds. */
const STOP_MS = 18_000;
/** Time limit, at shutdown, for cancelled runs to end, in milliseconds. */
const CANCEL_MS = 5_500;

/** Starts a worker: asks the leader of the cluster for runs and executes them, until it is drained. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const worker = new Worker(options);
  return {
    name: worker.name,
    finished: worker.start(),
    get missingRuns() {
      return worker.missingRuns;
    },
    drain: () => worker.drain(),
    cancelRuns: () => worker.cancelRuns(),
    [Symbol.asyncDispose]: () => worker.drain(),
  };
}

class Worker {
  readonly name: string;
  readonly #options: WorkerOptions;
  readonly #executor: RunExecutor;
  readonly #active = new Set<Promise<void>>();
  readonly #folders: OfferedFolders;
  readonly #context: WorkerContext;
  #announcing: NodeJS.Timeout | undefined;
  #isDrained = false;
  #drained: Promise<void> | undefined;
  /** Number of runs that this worker has executed to their end. */
  #endedRuns = 0;
  #onFree: () => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.name = options.name ?? `${hostname()}-${process.pid}`;
    this.#executor = createRunExecutor(options.concurrency ?? 1);
    this.#executor.onFree(() => this.#onFree());
    this.#folders = openOfferedFolders({ ...options, onFree: () => this.#announce() });
    const { name } = this;
    this.#context = { ...{ options, name, folders: this.#folders }, describe: () => this.#describe() };
  }

  /** Starts to ask for runs. Resolves when the worker takes no further runs and its runs have ended. */
  async start(): Promise<void> {
    this.#announce();
    this.#announcing = setInterval(() => this.#announce(), ANNOUNCE_MS);
    const { stateDirectory, cluster } = this.#options;
    this.#active.add(removeEndedWorkspaces(stateDirectory, cluster.store));
    const stopUndo = cluster.receiveUndo(this.name, (request) => this.#undo(request));
    await this.#work().catch((error: unknown) => this.#options.onError?.(error));
    await Promise.allSettled([...this.#active]);
    stopUndo();
  }

  cancelRuns(): void {
    this.#executor.cancelAll();
  }

  get missingRuns(): number {
    return Number.isFinite(this.#remainingRuns) ? this.#remainingRuns : 0;
  }

  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async #drain(): Promise<void> {
    this.#executor.close();
    this.#onFree();
    this.#announce();
    const stopped = this.#executor.stopAll({ cause: "host_shutdown", detail: "the worker stops" });
    await within(STOP_MS, stopped);
    this.#executor.cancelAll();
    await within(CANCEL_MS, Promise.allSettled([...this.#active]));
    clearInterval(this.#announcing);
    this.#announce();
    this.#isDrained = true;
  }

  /** Asks for runs while slots are free, until enough runs have ended or the worker shuts down. */
  async #work(): Promise<void> {
    const { cluster, onError } = this.#options;
    while (this.#executor.isOpen && this.#remainingRuns > 0) {
      // A run that does not end here, for example because another worker has its lease, makes room for another one.
      if (!this.#executor.hasRoom || this.#wantedRuns <= 0) {
        await this.#freed();
        continue;
      }
      const startedMs = performance.now();
      const worker = this.#describe();
      const request = { waitMs: REQUEST_MS, maxRuns: this.#maxRunsOf(worker) };
      let pauseMs = PAUSE_MS;
      const runIds = await cluster.requestRuns(worker, request).catch((error: unknown) => {
        onError?.(error);
        // The broker will refuse the next request too, until an operator changes the permissions of the worker.
        if (EngineError.is(error, "broker.refused")) pauseMs = REQUEST_MS;
        return [];
      });
      const declined = await Promise.all(runIds.map((runId) => this.#begin(runId)));
      // The worker would decline the next runs for the same reason.
      if (declined.includes("not_ready")) await within(REQUEST_MS, this.#freed());
      else if (runIds.length === 0 && performance.now() - startedMs < pauseMs) await within(pauseMs, this.#freed());
    }
  }

  /** Resolves when a slot becomes free, or when the worker begins to shut down. */
  #freed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onFree = resolve;
    });
  }

  /**
   * Begins to work on a run. Resolves when the run's folder is taken, so that the next request does not offer it. If the
   * run does not begin, tells the leader and resolves with the reason.
   */
  #begin(runId: string): Promise<DeclineReason | undefined> {
    const decline = (reason: DeclineReason): void => this.#options.cluster.declineRun({ runId, reason });
    // The leader offers a run that arrives after the shutdown began to another worker.
    if (!this.#executor.isOpen) {
      decline("not_ready");
      return Promise.resolve("not_ready");
    }
    const slot = this.#executor.enter();
    return new Promise((resolve) => {
      const work = runOnWorker({ runId, slot, onTaken: () => resolve(undefined) }, this.#context)
        .catch((error: unknown): DeclineReason => {
          this.#options.onError?.(error);
          return "failed";
        })
        .then((outcome) => {
          const reason = outcome === "ended" || outcome === "lost" ? undefined : outcome;
          if (outcome === "ended") this.#endedRuns += 1;
          if (reason !== undefined) decline(reason);
          slot.release();
          this.#active.delete(work);
          resolve(reason);
        });
      this.#active.add(work);
    });
  }

  /** Reverts the changes of a run. Rejects with `server.draining` while the worker shuts down. */
  async #undo(request: UndoRequest): Promise<void> {
    const { engines, cluster, now = Date.now } = this.#options;
    const [engine] = engines;
    if (!this.#executor.isOpen || engine === undefined) throw new EngineError("server.draining");
    const undoing = undoOnWorker(request, {
      ...{ cluster, folders: this.#folders, now },
      workspaces: workspacePartsOf(engine, this.#context),
    });
    const settled = undoing.catch(() => undefined).finally(() => this.#active.delete(settled));
    this.#active.add(settled);
    await undoing;
  }

  /** Returns the number of runs for which this worker may ask. */
  #maxRunsOf({ free }: ClusterWorker): number {
    return Math.min(free, this.#wantedRuns);
  }

  /** Number of runs that may still end here. */
  get #remainingRuns(): number {
    return (this.#options.maxRuns ?? Number.POSITIVE_INFINITY) - this.#endedRuns;
  }

  /** Number of runs that the worker may begin in addition to its active ones, if it has slots for them. */
  get #wantedRuns(): number {
    return this.#remainingRuns - this.#executor.used;
  }

  #announce(): void {
    // A folder may become free later, when the connection to the cluster is closed.
    if (this.#isDrained) return;
    this.#options.cluster.announce(this.#describe());
  }

  #describe(): ClusterWorker {
    const {
      engines,
      environments,
      labels = {},
      version,
      concurrency = 1,
      repositories = [],
      isDedicated,
    } = this.#options;
    const { used } = this.#executor;
    return {
      ...{ format: 1, name: this.name, environments, labels, isDedicated, version, running: used },
      engines: engines.map(({ session }) => session.engineName ?? "custom"),
      free: this.#executor.isOpen && this.#wantedRuns > 0 ? concurrency - used : 0,
      folders: this.#folders.free(),
      repositories: repositories.map(({ url, credential, owners }) => ({ url, credential, owners })),
    };
  }
}

/** Waits for a promise, up to a time limit. */
async function within(timeMs: number, end: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs);
  });
  await Promise.race([end, timeout]);
  clearTimeout(timer);
}
