import type { RunCluster, RunStatus } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import type { ServerOptions } from "../server/server-options.ts";
import type { WorkerFolder } from "./offered-folders.ts";
import type { WorkerRepository } from "./worker-repository.ts";

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
   * Maximum total time of all attempts of a run, in seconds. It applies also if the run or the server sets a longer
   * limit. Default: unlimited.
   */
  readonly maxRunSeconds?: number | undefined;
  /**
   * Number of runs after which the worker takes no further runs. Runs that the worker queues again at its shutdown do not
   * count. Default: unlimited.
   */
  readonly maxRuns?: number | undefined;
  /** Release of Switchyard, for the list of workers. */
  readonly version: string;
  /** Called when the worker starts or stops working on a run. */
  readonly onRun?: ((run: WorkerRun) => void) | undefined;
}

/** Notice that a worker has started or stopped working on a run. */
export interface WorkerRun {
  /** Id of the run. */
  readonly runId: string;
  /** Status of the run. `running` if the worker has started working on it. */
  readonly status: RunStatus;
}

/** A worker of a cluster. */
export interface RunningWorker extends AsyncDisposable {
  /** Name of the worker. */
  readonly name: string;
  /** Resolves when the worker takes no further runs and its runs have ended, after `maxRuns` runs or a shutdown. */
  readonly finished: Promise<void>;
  /** Number of runs that are missing to `maxRuns`; 0 if there is no such limit. Final when the worker has finished. */
  readonly missingRuns: number;
  /**
   * Takes no further runs, asks active runs to save their state, and queues them again for other workers. Contract:
   * takes at most 24 seconds, regardless of what engines do.
   */
  drain(): Promise<void>;
  /** Stops active runs and their processes immediately. */
  cancelRuns(): void;
}
