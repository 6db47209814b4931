import type { RuntimePackage } from "../discovery/runtime-package.ts";
import { executeTask } from "../execution/execute-task.ts";
import { secretsOfEnv } from "../secrets/secrets-of-env.ts";
import { createRuntimeRegistry } from "../selection/runtime-registry.ts";
import { parseTaskRequest } from "../task/parse-task-request.ts";
import type { TaskOutcome } from "../task/task-outcome.ts";
import { type LocalUser, localFolders } from "../workspace/local-folders.ts";

/** Function that executes task requests with the runtime packages on this machine. */
export type PackagedTaskExecutor = (request: unknown, signal: AbortSignal) => Promise<{ outcome: TaskOutcome }>;

/** Options for `createTaskExecutor`. */
export interface TaskExecutorOptions extends LocalUser {
  /** Runtime packages that may execute tasks. */
  readonly packages: readonly RuntimePackage[];
  /** Folder for the data of running tasks. */
  readonly stateFolder: string;
  /** Whether commands of packages may use git push. Default: false. */
  readonly allowGitPush?: boolean | undefined;
  /**
   * Whether other machines can execute a task if this machine's disk is full or read-only. If true, such a task rejects
   * instead of ending as failed. Default: false.
   */
  readonly hasOtherMachines?: boolean | undefined;
  /** Returns the time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns a function that executes task requests with runtime packages, for `runFanOut` and `workOnQueue`. The function
 * rejects with `runtime.*` if no package can execute a request. With `hasOtherMachines`, it also rejects with
 * `run.store_failed` if the disk cannot be written, so that another machine executes the task.
 */
export function createTaskExecutor(options: TaskExecutorOptions): PackagedTaskExecutor {
  const { env, packages, stateFolder, allowGitPush, hasOtherMachines: rejectsOnStorageFault, now } = options;
  const registry = createRuntimeRegistry(packages);
  return async (request, signal) => {
    const { executor } = parseTaskRequest(request);
    const { backend, runtime, selector: provider, required_capabilities: capabilities } = executor;
    const selected = registry.select({ backend, runtime, provider, capabilities });
    const outcome = await executeTask(request, {
      ...{ selected, signal, secrets: secretsOfEnv(env), stateFolder, allowGitPush, rejectsOnStorageFault, now },
      ...localFolders(options),
    });
    return { outcome };
  };
}
