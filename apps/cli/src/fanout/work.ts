import { EngineError } from "@switchyard/contracts";
import { failedOutcome, workOnQueue } from "@switchyard/runtimes";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openQueue } from "./open-queue.ts";
import { openTaskExecutor, type TaskExecutor } from "./task-executor.ts";

/** What a worker may be told. */
export interface WorkerChoice {
  /** Queue to take tasks from. */
  queue: string;
  /** Tasks at once. */
  concurrency: string;
  /** Seconds without a sign of life after which a task goes to another worker. */
  lease: string;
  /** Whether packages of the current project are used. */
  trustWorkspace?: boolean;
  /** Whether their commands may push with git. */
  allowGitPush?: boolean;
}

const SECOND_MS = 1_000;

function numberOf(text: string, field: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new EngineError("config.invalid", { field, problem: "it must be a number greater than zero" });
}

/** A request that no package here can serve is the task's failure; another worker may be asked by a later plan. */
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

/** A machine whose disk takes nothing is not the task's failure: it is for other workers, and this one is to end. */
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
 * Works on a queue until it is stopped. Resolves with exit code 0; rejects with `config.invalid` and `broker.*`, and with
 * `run.store_failed` where its disk takes nothing: what it was at is given back.
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
