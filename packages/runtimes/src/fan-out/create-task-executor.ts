import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { createRuntimeRegistry, executeTask, parseTaskRequest, type TaskOutcome } from "@switchyard/runtimes";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { confineFolder } from "../workspace/local-folders.ts";
import { type FindOptions, findRuntimes } from "../runtimes/find-runtimes.ts";
import type { PushChoice } from "../engine/open-runtime-engine.ts";
import { secretsOf } from "../secrets/secrets-of-env.ts";

/** Executes task requests with the runtime packages on this machine. */
export type TaskExecutor = (request: unknown, signal: AbortSignal) => Promise<{ outcome: TaskOutcome }>;

/** Options for `openTaskExecutor`. */
export interface TaskExecutorOptions extends FindOptions, PushChoice {
  /**
   * Whether another machine can execute a task if this machine's disk is full or read-only. The task then rejects
   * instead of failing. Default: false.
   */
  readonly hasOtherMachines?: boolean | undefined;
}

/**
 * Finds the runtime packages once and returns a function that executes requests with them. The function rejects with
 * `runtime.*` if no package can execute a request. With `hasOtherMachines`, it also rejects with `run.store_failed` if
 * the disk cannot be written.
 */
export async function openTaskExecutor(context: CommandContext, options: TaskExecutorOptions): Promise<TaskExecutor> {
  const { env } = context;
  const { packages } = await findRuntimes(context, options);
  const registry = createRuntimeRegistry(packages);
  return async (request, signal) => {
    const { executor } = parseTaskRequest(request);
    const { backend, runtime, selector: provider, required_capabilities: capabilities } = executor;
    const selected = registry.select({ backend, runtime, provider, capabilities });
    const outcome = await executeTask(request, {
      ...{ selected, signal, secrets: secretsOf(env), now: () => context.now() },
      openFolder: (root) => openLocalEnvironment({ root, env }),
      confineFolder: (root, rules) => confineFolder(context, root, rules),
      allowGitPush: options.allowGitPush,
      rejectsOnStorageFault: options.hasOtherMachines,
      stateFolder: join(stateDirectory(context, undefined), "tasks"),
    });
    return { outcome };
  };
}
