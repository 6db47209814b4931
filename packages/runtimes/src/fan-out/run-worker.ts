import { EngineError, type WorkQueue } from "@switchyard/contracts";
import { failedOutcome } from "../execution/failed-outcome.ts";
import type { PackagedTaskExecutor } from "./create-task-executor.ts";
import { type WorkOnQueueOptions, workOnQueue } from "./work-on-queue.ts";

/** Options for `runWorker`. */
export interface WorkerOptions extends Omit<WorkOnQueueOptions, "execute"> {
  /** Function that executes task requests, created by `createTaskExecutor` with `hasOtherMachines`. */
  readonly execute: PackagedTaskExecutor;
}

/**
 * Executes tasks of a queue with runtime packages until the signal aborts. A request that no package on this machine
 * supports counts as a failed task. Rejects with `broker.*`. Rejects with `run.store_failed` if this machine's disk cannot
 * be written; unfinished tasks then return to the queue, so that another worker executes them.
 */
export async function runWorker(
  queue: Pick<WorkQueue, "take">,
  { execute, signal, ...options }: WorkerOptions,
): Promise<void> {
  const stop = new AbortController();
  let fault: EngineError | undefined;
  const guarded = withFaults(withRefusals(execute), (found) => {
    fault ??= found;
    stop.abort();
  });
  await workOnQueue(queue, { ...options, execute: guarded, signal: AbortSignal.any([signal, stop.signal]) });
  if (fault !== undefined) throw fault;
}

/**
 * Wraps an executor so that an unsupported request becomes a failed task. The queue does not offer such a task to other
 * workers.
 */
function withRefusals(execute: PackagedTaskExecutor): PackagedTaskExecutor {
  return async (request, signal) => {
    try {
      return await execute(request, signal);
    } catch (error) {
      if (!EngineError.is(error) || !error.code.startsWith("runtime.")) throw error;
      const named = typeof request === "object" && request !== null && "task_id" in request ? request.task_id : "";
      const failure = { status: "failed", classification: "invalid_input", summary: error.message } as const;
      return { outcome: failedOutcome(String(named), "worker", { ...failure, diagnostics: [] }) };
    }
  };
}

/** Wraps an executor so that `end` is called if the disk of this machine cannot be written. */
function withFaults(execute: PackagedTaskExecutor, end: (fault: EngineError) => void): PackagedTaskExecutor {
  return async (request, signal) => {
    try {
      return await execute(request, signal);
    } catch (error) {
      if (EngineError.is(error, "run.store_failed")) end(error);
      throw error;
    }
  };
}
