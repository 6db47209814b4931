import { join } from "node:path";
import { createTaskExecutor, type PackagedTaskExecutor } from "@switchyard/runtimes";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { type FindOptions, findRuntimes } from "../runtimes/find-runtimes.ts";

/** Options for `openTaskExecutor`. */
interface ExecutorOptions extends FindOptions {
  allowGitPush?: boolean | undefined;
  hasOtherMachines?: boolean | undefined;
}

/** Finds the runtime packages once, and returns a function that executes task requests with them. */
export async function openTaskExecutor(
  context: CommandContext,
  { allowGitPush, hasOtherMachines, ...found }: ExecutorOptions,
): Promise<PackagedTaskExecutor> {
  const { env, homeDirectory, now } = context;
  const { packages } = await findRuntimes(context, found);
  const options = { env, homeDirectory, now, packages, allowGitPush, hasOtherMachines };
  let executor: PackagedTaskExecutor | undefined;
  return async (request, signal) => {
    // If the state folder is unusable, each task reports it, so that a worker returns the task to the queue.
    executor ??= createTaskExecutor({ ...options, stateFolder: join(stateDirectory(context, undefined), "tasks") });
    return executor(request, signal);
  };
}
