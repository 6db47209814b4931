import { rm, rmdir } from "node:fs/promises";
import { hostname } from "node:os";
import {
  type ClusterWorker,
  EngineError,
  type Envelope,
  RESUMABLE_RUN_STATUSES,
  type RunCluster,
  type RunStatus,
  type SessionHandle,
  type UndoRequest,
} from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import { applyControl } from "../run/apply-control.ts";
import { type ExecutionParts, executeRun, isShutDown } from "../run/execute-run.ts";
import { createRunExecutor, type RunExecutor, type RunSlot } from "../run/run-executor.ts";
import { workspacePath } from "../run/run-workspace.ts";
import { notAtWork } from "../runs/not-at-work.ts";
import { RunProgress } from "../runs/run-progress.ts";
import { needsOfRecord, type UnmetNeed, unmetNeed } from "../scheduler/run-needs.ts";
import type { ServerOptions } from "../server/server-options.ts";
import { checkControl } from "./check-control.ts";
import { IncrementSender } from "./increment-sender.ts";
import { type OfferedFolders, openOfferedFolders, type WorkerFolder } from "./offered-folders.ts";
import { publishingStore } from "./publishing-store.ts";
import { isOver, removeEndedWorkspaces } from "./remove-ended-workspaces.ts";
import { REQUEST_MS } from "./run-leader.ts";
import { undoOnWorker } from "./undo-on-worker.ts";
import type { WorkerRepository } from "./worker-repository.ts";
import { type PreparedWorkspace, prepareWorkspace, type WorkspaceParts } from "./worker-workspace.ts";

/** Interval of the worker's announcements, in milliseconds. */
const ANNOUNCE_MS = 2_000;
/** Wait before the next request if no server leads the cluster, in milliseconds. */
const PAUSE_MS = 250;
/** Time limit, at shutdown, for interrupted runs to stop, in milliseconds. */
const STOP_MS = 18_000;
/** Time limit, at shutdown, for cancelled runs to end, in milliseconds. */
const CANCEL_MS = 5_500;

/** One engine of a worker, with the environment in which it works. */
export type WorkerEngine = Pick<ServerOptions, "session" | "openEnvironment">;

/** Options of `startWorker`. */
export interface WorkerOptions extends Pick<ServerOptions, "now" | "onError"> {
  /** Connection to the cluster. The worker does not close it. */
  readonly cluster: RunCluster;
  /** Engines that the worker offers. */
  readonly engines: readonly WorkerEngine[];
  /** Names of the environments in which the engines work, such as `local` or `sandbox`. */
  readonly environments: readonly string[];
  /** Labels that runs can require. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Whether the worker takes only runs that require all of its labels. Default: false. */
  readonly isDedicated?: boolean | undefined;
  /** Folders in which runs may work, by the names that runs use. One run at a time works in a folder. Default: none. */
  readonly folders?: Readonly<Record<string, WorkerFolder>> | undefined;
  /** Repositories that runs may name as their workspace. Default: none. */
  readonly repositories?: readonly WorkerRepository[] | undefined;
  /** Environment variables of the host, used to run git. Default: those of this process. */
  readonly env?: HostVariables | undefined;
  /** Name of the worker, unique in the cluster. Default: host name and process id. */
  readonly name?: string | undefined;
  /** Folder for the files of runs. Workspaces are in a second folder next to it, whose name ends in `-workspaces`. */
  readonly stateDirectory: string;
  /** Maximum number of concurrent runs. Default: 1. */
  readonly concurrency?: number | undefined;
  /**
   * Maximum total time of all attempts of a run, in seconds. It applies also if the run or the server sets a longer limit.
   * Default: unlimited.
   */
  readonly maxRunSeconds?: number | undefined;
  /** Number of runs after which the worker takes no further runs. Default: unlimited. */
  readonly maxRuns?: number | undefined;
  /** Release of Switchyard, for the list of workers. */
  readonly version: string;
  /** Called when the worker begins or ends to work on a run. */
  readonly onRun?: ((run: WorkerRun) => void) | undefined;
}

/** Notice that a worker has begun, or ended, to work on a run. */
export interface WorkerRun {
  /** Id of the run. */
  readonly runId: string;
  /** Status of the run. `running` when the worker begins. */
  readonly status: RunStatus;
}

/** A worker of a cluster. */
export interface RunningWorker extends AsyncDisposable {
  /** Name of the worker. */
  readonly name: string;
  /** Resolves when the worker takes no further runs and its runs have ended, after `maxRuns` runs or a shutdown. */
  readonly finished: Promise<void>;
  /**
   * Takes no further runs, asks active runs to save their state, and queues them again for other workers. Contract: takes
   * at most 24 seconds, regardless of what engines do.
   */
  drain(): Promise<void>;
  /** Stops active runs and their processes immediately. */
  cancelRuns(): void;
}

/** Reasons why a worker does not execute a run that it was offered. */
const PROBLEMS: Readonly<Record<UnmetNeed, string>> = {
  engine: "it does not have the engine of the run.",
  environment: "it does not have the environment that the run requires.",
  labels: "it does not have the labels that the run requires.",
  "other runs": "it takes only runs that require all of its labels.",
  folder: "it does not offer the folder of the run to the owner of the run.",
  repository: "none of its rules allows the repository of the run.",
};

/** Starts a worker: asks the leader of the cluster for runs and executes them, until it is drained. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const worker = new Worker(options);
  return {
    name: worker.name,
    finished: worker.start(),
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
  #announcing: NodeJS.Timeout | undefined;
  #drained: Promise<void> | undefined;
  #takenRuns = 0;
  #onFree: () => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.name = options.name ?? `${hostname()}-${process.pid}`;
    this.#executor = createRunExecutor(options.concurrency ?? 1);
    this.#executor.onFree(() => this.#onFree());
    this.#folders = openOfferedFolders({ ...options, onFree: () => this.#announce() });
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
  }

  /** Asks for runs while slots are free. */
  async #work(): Promise<void> {
    const { cluster, onError } = this.#options;
    while (this.#takesRuns) {
      if (!this.#executor.hasRoom) {
        await new Promise<void>((resolve) => {
          this.#onFree = resolve;
        });
        continue;
      }
      const startedMs = performance.now();
      const runId = await cluster.requestRun(this.#describe(), REQUEST_MS).catch((error: unknown) => {
        onError?.(error);
        return undefined;
      });
      // A run that arrives after the shutdown began stays queued: the leader offers it to another worker.
      if (runId !== undefined && this.#executor.hasRoom) await this.#begin(runId);
      else if (performance.now() - startedMs < PAUSE_MS) await pause(PAUSE_MS);
    }
  }

  /** Begins to work on a run. Resolves when the run's folder is taken, so that the next request does not offer it. */
  #begin(runId: string): Promise<void> {
    const slot = this.#executor.enter();
    return new Promise((resolve) => {
      const work = this.#execute(runId, slot, resolve)
        .catch((error: unknown) => this.#options.onError?.(error))
        .finally(() => {
          slot.release();
          this.#active.delete(work);
          resolve();
        });
      this.#active.add(work);
    });
  }

  async #execute(runId: string, slot: RunSlot, onTaken: () => void): Promise<void> {
    const { cluster, onRun, stateDirectory, now, onError } = this.#options;
    const stored = await cluster.store.show(runId);
    const { record } = stored;
    const engine = this.#options.engines.find(({ session }) => session.engineName === record?.engine);
    if (record === undefined) return;
    // The leader offers a run only to workers that suit it, but any process with access to the broker can offer runs.
    const unmet = unmetNeed({ ...this.#describe(), folders: this.#folders.all }, needsOfRecord(record));
    if (unmet !== undefined || engine === undefined) {
      throw new EngineError("run.unsuitable_worker", { runId, problem: PROBLEMS[unmet ?? "engine"] });
    }
    const taken = await this.#folders.take(record);
    // Another run works in the folder. The leader offers this run again later.
    if (taken === "busy") return;
    await using folder = taken;
    this.#takenRuns += 1;
    onTaken();
    const workspace = folder?.path ?? workspacePath(stateDirectory, runId);
    let handle: SessionHandle | undefined;
    const progress = new RunProgress();
    let lastSeq = (): number => 0;
    const increments = new IncrementSender({ cluster, runId, lastSeq: () => lastSeq() });
    let stopReceiving = (): void => undefined;
    onRun?.({ runId, status: "running" });
    let prepared: PreparedWorkspace | undefined;
    const store = publishingStore(cluster, {
      isShutDown: () => isShutDown(slot),
      maxRunSeconds: this.#options.maxRunSeconds,
      prepare: async (writer) => {
        lastSeq = () => writer.lastSeq;
        stopReceiving = cluster.receiveControl(writer, (control) => {
          checkControl(control, (promptId) => progress.questionOf(promptId));
          if (control.kind === "interrupt") slot.stop(control.interrupt);
          else if (handle === undefined) throw notAtWork(runId, "about to begin");
          else applyControl(handle, control);
        });
        if (folder === undefined) prepared = await prepareWorkspace(writer, this.#workspaceParts(engine));
        return prepared?.stored;
      },
    });
    const parts: ExecutionParts = {
      ...{ ...engine, stateDirectory, now, onError, store },
      // The record names the worker, so `isMoved` allows another worker to continue the run.
      more: { worker: this.name, isMoved: true },
    };
    const run = {
      ...{ runId, slot, stored },
      openWorkspace: async () => workspace,
      observerOf: () => ({
        publish: async (envelope: Envelope) => {
          await progress.publish(envelope);
          await increments.publish(envelope);
        },
      }),
      onStart: (started: SessionHandle) => {
        handle = started;
      },
    };
    try {
      const status = await executeRun(run, parts);
      onRun?.({ runId, status });
      // A run that this worker has lost also ends with an error here, but another worker may use the same workspace.
      const isEnded = !RESUMABLE_RUN_STATUSES.includes(status);
      if (isEnded && (status !== "error" || (await isOver(cluster.store, runId))))
        await this.#removeWorkspace(runId, prepared?.stored.isStored === true);
    } finally {
      stopReceiving();
      await prepared?.[Symbol.asyncDispose]();
    }
  }

  /** Reverts the changes of a run. Rejects with `server.draining` while the worker shuts down. */
  async #undo(request: UndoRequest): Promise<void> {
    const { engines, cluster, now = Date.now } = this.#options;
    const [engine] = engines;
    if (!this.#executor.isOpen || engine === undefined) throw new EngineError("server.draining");
    const undoing = undoOnWorker(request, {
      ...{ cluster, folders: this.#folders, now },
      workspaces: this.#workspaceParts(engine),
    });
    const settled = undoing.catch(() => undefined).finally(() => this.#active.delete(settled));
    this.#active.add(settled);
    await undoing;
  }

  #workspaceParts({ session }: WorkerEngine): WorkspaceParts {
    const { cluster, stateDirectory, repositories = [], env = process.env, onError } = this.#options;
    const onProblem = (error: unknown): void => onError?.(error);
    const isCompared = session.workspaceDiff !== false;
    return { cluster, stateDirectory, worker: this.name, repositories, env, isCompared, onProblem };
  }

  /** Removes the workspace of a run that cannot be resumed. Its changes are in the report. */
  async #removeWorkspace(runId: string, isStored: boolean): Promise<void> {
    const { cluster, stateDirectory } = this.#options;
    if (isStored) await cluster.removeFiles(runId, "snapshots").catch(() => undefined);
    const path = workspacePath(stateDirectory, runId);
    // Most workspaces of short runs are empty. Only other workspaces need to be searched for files.
    await rmdir(path).catch(() => rm(path, { recursive: true, force: true }).catch(() => undefined));
  }

  get #takesRuns(): boolean {
    return this.#executor.isOpen && this.#takenRuns < (this.#options.maxRuns ?? Number.POSITIVE_INFINITY);
  }

  #announce(): void {
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
      free: this.#takesRuns ? concurrency - used : 0,
      folders: this.#folders.free(),
      repositories: repositories.map(({ url, credential, owners }) => ({ url, credential, owners })),
    };
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
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
