import { EngineError, messageOf, type TaskLease, type WorkQueue } from "@switchyard/contracts";

/** Options for `workOnQueue`. */
export interface WorkOnQueueOptions {
  /**
   * Function that executes a task and resolves with plain data. If it rejects, the task is returned to the queue for
   * another attempt.
   */
  readonly execute: (body: unknown, signal: AbortSignal) => Promise<unknown>;
  /** Number of concurrent tasks. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Called when an attempt at a task has ended. */
  readonly onEnd?: ((end: AttemptEnd) => void) | undefined;
  /** Signal that stops the worker when it aborts. The worker's current tasks are returned to the queue. */
  readonly signal: AbortSignal;
}

/** End of an attempt. */
export interface AttemptEnd {
  /** Id of the task. */
  readonly id: string;
  /** 1-based number of the attempt. */
  readonly attempt: number;
  /**
   * How the attempt ended. `finished`: the record is stored. `given_back`: the task is returned to the queue. `lost`:
   * another worker has taken the task.
   */
  readonly kind: "finished" | "given_back" | "lost";
  /** Reason why the attempt did not finish the task. `undefined` if the task is finished. */
  readonly problem?: string | undefined;
}

/** Delay until a task that was returned to the queue can be taken again, in milliseconds. */
const RELEASE_DELAY_MS = 1_000;

/** Result of executing a task, or the error that its execution threw. */
type Executed = { readonly body: unknown } | { readonly error: unknown };

async function execute({ task, signal: lost }: TaskLease, options: WorkOnQueueOptions): Promise<Executed> {
  try {
    return { body: await options.execute(task.body, AbortSignal.any([options.signal, lost])) };
  } catch (error) {
    return { error };
  }
}

/** Stores the outcome of an attempt in the queue and reports that the attempt has ended. */
async function end(lease: TaskLease, executed: Executed, options: WorkOnQueueOptions): Promise<void> {
  const ended = await endOf(lease, executed, options);
  options.onEnd?.(ended);
}

async function endOf(lease: TaskLease, executed: Executed, { signal }: WorkOnQueueOptions): Promise<AttemptEnd> {
  if (signal.aborted) {
    const isStopped = !("error" in executed) || executed.error === signal.reason;
    return await releaseTask(lease, isStopped ? "its worker was stopped" : messageOf(executed.error), 0);
  }
  if ("error" in executed) return await releaseTask(lease, messageOf(executed.error), RELEASE_DELAY_MS);
  const ended = { id: lease.task.id, attempt: lease.attempt };
  try {
    await lease.finish(executed.body);
    return { ...ended, kind: "finished" };
  } catch (error) {
    if (EngineError.is(error, "queue.lease_lost")) return { ...ended, kind: "lost", problem: error.message };
    return await releaseTask(lease, messageOf(error), RELEASE_DELAY_MS);
  }
}

async function releaseTask(lease: TaskLease, problem: string, delayMs: number): Promise<AttemptEnd> {
  const ended = { id: lease.task.id, attempt: lease.attempt, problem };
  try {
    await lease.release(problem, { delayMs });
    return { ...ended, kind: "given_back" };
  } catch (error) {
    if (!EngineError.is(error, "queue.lease_lost")) throw error;
    return { ...ended, kind: "lost" };
  }
}

/**
 * Takes tasks from a queue and executes them until the signal aborts. A task that another worker has taken over is
 * cancelled, and its result is discarded. Rejects with errors of the queue.
 */
export async function workOnQueue(queue: Pick<WorkQueue, "take">, options: WorkOnQueueOptions): Promise<void> {
  async function work(): Promise<void> {
    let ending: Promise<void> | undefined;
    for (;;) {
      // Fetches the next task while the previous record is being stored.
      const [lease] = await Promise.all([queue.take({ signal: options.signal }), ending]);
      if (lease === undefined) return;
      const body = await execute(lease, options);
      ending = end(lease, body, options);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 1) }, work));
}
