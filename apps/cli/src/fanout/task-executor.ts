import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { createRuntimeRegistry, executeTask, parseTaskRequest, type TaskOutcome } from "@switchyard/runtimes";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { confineFolder } from "../runtimes/confine-folder.ts";
import { type FindOptions, findRuntimes } from "../runtimes/find-runtimes.ts";
import type { PushChoice } from "../runtimes/open-runtime-engine.ts";
import { secretsOf } from "../runtimes/secrets-of.ts";

/** Executes task requests with the runtime packages that are found here. */
export type TaskExecutor = (request: unknown, signal: AbortSignal) => Promise<{ outcome: TaskOutcome }>;

/** Where tasks are executed with what. */
export interface TaskExecutorOptions extends FindOptions, PushChoice {
  /** Whether another machine can be asked where the disk of this one takes nothing. */
  readonly hasOtherMachines?: boolean | undefined;
}

/**
 * Finds the runtime packages once, to execute many requests with. A request that none can serve rejects with `runtime.*`,
 * and with `run.store_failed` where another machine is to be asked.
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
