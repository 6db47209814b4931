import { EngineError } from "@switchyard/contracts";
import { runWorker } from "@switchyard/runtimes";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openQueue } from "./open-queue.ts";
import { openTaskExecutor } from "./task-executor.ts";

/** Options of a worker that executes fan-out tasks. */
export interface TaskWorkerChoice {
  /** URL of the queue to take tasks from. */
  queue: string;
  /** Maximum number of concurrent tasks. */
  concurrency: string;
  /** Time without a heartbeat after which a task is given to another worker, in seconds. */
  lease: string;
  /** Whether to include runtime packages of the current project. */
  trustWorkspace?: boolean;
  /** Whether commands of runtime packages may use `git push`. */
  allowGitPush?: boolean;
}

const SECOND_MS = 1_000;

/** Returns the value of an option that must be a number greater than zero. Throws `config.invalid`. */
export function numberOption(text: string, field: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new EngineError("config.invalid", { field, problem: "it must be a number greater than zero" });
}

/**
 * Executes tasks of a queue until the worker is stopped. Resolves with exit code 0. Rejects with `config.invalid` and
 * `broker.*`. Rejects with `run.store_failed` if this machine's disk cannot be written; unfinished tasks then return to
 * the queue.
 */
export async function work(context: CommandContext, choice: TaskWorkerChoice): Promise<number> {
  const concurrency = Math.floor(numberOption(choice.concurrency, "--concurrency"));
  const leaseMs = numberOption(choice.lease, "--lease") * SECOND_MS;
  const stop = new AbortController();
  const ignore = context.onStopRequest(() => stop.abort());
  try {
    const execute = await openTaskExecutor(context, { ...choice, hasOtherMachines: true });
    await using queue = await openQueue(context, { url: choice.queue, leaseMs });
    context.stderr.write("waiting for tasks\n");
    context.progress.hasStarted = true;
    await runWorker(queue, {
      ...{ execute, concurrency: Math.max(1, concurrency), signal: stop.signal },
      onEnd: ({ id, attempt, kind, problem }) => {
        const why = problem === undefined ? "" : `: ${problem}`;
        context.stderr.write(`${neutraliseControls(`${kind}: ${id}, attempt ${attempt}${why}`)}\n`);
      },
    });
    return 0;
  } finally {
    ignore();
  }
}
