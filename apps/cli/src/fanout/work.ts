import { EngineError } from "@switchyard/contracts";
import { failedOutcome, openTaskExecutor, type TaskExecutor, workOnQueue } from "@switchyard/runtimes";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openQueue } from "./open-queue.ts";

/** Options of the command `worker`. */
export interface WorkerChoice {
  /** URL of the queue to take tasks from. */
  queue: string;
  /** Maximum number of concurrent tasks. */
  concurrency: string;
  /** Time without a heartbeat after which a task goes to another worker, in seconds. */
  lease: string;
  /** Whether to include runtime packages of the current project. */
  trustWorkspace?: boolean;
  /** Whether commands of runtime packages may use `git push`. */
  allowGitPush?: boolean;
}

const SECOND_MS = 1_000;

function numberOf(text: string, field: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new EngineError("config.invalid", { field, problem: "it must be a number greater than zero" });
}

/**
 * Wraps an executor so that a request that no package on this machine supports counts as a failed task. The queue does
 * not offer the task to other workers.
 */
function withRefusals(execute: TaskExecutor): TaskExecutor {
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

/**
 * Wraps an executor so that `end` is called if this machine's disk cannot be written. The task is not failed: another
 * worker executes it, and this worker stops.
 */
function withFaults(execute: TaskExecutor, end: (fault: EngineError) => void): TaskExecutor {
  return async (request, signal) => {
    try {
      return await execute(request, signal);
    } catch (error) {
      if (EngineError.is(error, "run.store_failed")) end(error);
      throw error;
    }
  };
}

/**
 * Executes tasks of a queue until the worker is stopped. Resolves with exit code 0. Rejects with `config.invalid` and
 * `broker.*`. Rejects with `run.store_failed` if this machine's disk cannot be written; unfinished tasks then return to
 * the queue.
 */
export async function work(context: CommandContext, choice: WorkerChoice): Promise<number> {
  const concurrency = Math.floor(numberOf(choice.concurrency, "--concurrency"));
  const leaseMs = numberOf(choice.lease, "--lease") * SECOND_MS;
  const stop = new AbortController();
  const ignore = context.onStopRequest(() => stop.abort());
  try {
    let fault: EngineError | undefined;
    const executor = await openTaskExecutor(context, { ...choice, hasOtherMachines: true });
    const execute = withFaults(withRefusals(executor), (found) => {
      fault ??= found;
      stop.abort();
    });
    await using queue = await openQueue(context, { url: choice.queue, leaseMs });
    context.stderr.write("waiting for tasks\n");
    context.progress.hasStarted = true;
    await workOnQueue(queue, {
      ...{ execute, concurrency: Math.max(1, concurrency), signal: stop.signal },
      onEnd: ({ id, attempt, kind, problem }) => {
        const why = problem === undefined ? "" : `: ${problem}`;
        context.stderr.write(`${neutraliseControls(`${kind}: ${id}, attempt ${attempt}${why}`)}\n`);
      },
    });
    if (fault !== undefined) throw fault;
    return 0;
  } finally {
    ignore();
  }
}
