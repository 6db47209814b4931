import type { EngineOptions } from "@switchyard/engine-catalog";
import type { EnvironmentOptions, PermissionOptions } from "@switchyard/settings";
import type { TaskWorkerChoice } from "../fanout/work.ts";

/** Options of the command `worker`. */
export interface WorkerChoice extends TaskWorkerChoice, RunWorkerChoice {
  /** Engines for runs, by name or configuration file. `undefined`: the worker executes fan-out tasks. */
  engine?: string[] | undefined;
}

/** Options of a worker that executes runs. */
export interface RunWorkerChoice
  extends Pick<TaskWorkerChoice, "queue" | "concurrency" | "allowGitPush">,
    Pick<EngineOptions, "model" | "baseUrl" | "apiKey" | "direct">,
    PermissionOptions,
    EnvironmentOptions {
  /** Name of the worker. */
  name?: string | undefined;
  /** Labels of the worker. A run can require that its worker has certain labels. */
  label?: Record<string, string> | undefined;
  /** Folders in which runs may work, by name. */
  workspace?: Record<string, string> | undefined;
  /** For each folder name, the owners whose runs may work in the folder, separated by commas. */
  workspaceOwners?: Record<string, string> | undefined;
  /** True if the worker takes only runs that require all of the worker's labels. */
  dedicated?: boolean | undefined;
  /** Maximum time limit of a run, in seconds. */
  timeout?: number | undefined;
  /** Number of runs after which the worker stops. */
  maxRuns?: string | undefined;
  /** File with the budgets of owners and of the server. */
  budgets?: string | undefined;
  /** File with the repositories that runs may name as their workspace. */
  repositories?: string | undefined;
  /** Folder for the files of runs. */
  state?: string | undefined;
}
