import { EngineError, messageOf, type TaskLease, type WorkQueue } from "@switchyard/contracts";

/** How a worker takes tasks. */
export interface WorkOnQueueOptions {
  /** Executes what a task says; gives plain data. What it throws gives the task back, to a later attempt. */
  readonly execute: (body: unknown, signal: AbortSignal) => Promise<unknown>;
  /** Tasks at once; 1 by default. */
  readonly concurrency?: number | undefined;
  /** Told what became of each attempt. */
  readonly onEnd?: ((end: AttemptEnd) => void) | undefined;
  /** Ends it: what it works on is given back to other workers. */
  readonly signal: AbortSignal;
}

/** What became of an attempt. */
export interface AttemptEnd {
  /** Name of the task. */
  readonly id: string;
  /** 1-based number of the attempt. */
  readonly attempt: number;
  /** `finished`: the record is there. `given_back`: for a later attempt. `lost`: another worker has the task. */
  readonly kind: "finished" | "given_back" | "lost";
  /** Why it was not finished. */
  readonly problem?: string | undefined;
}

/** Milliseconds before a task that was given back is taken again. */
const GIVE_BACK_MS = 1_000;

async function attempt(lease: TaskLease, options: WorkOnQueueOptions): Promise<AttemptEnd> {
  const signal = AbortSignal.any([options.signal, lease.signal]);
  const ended = { id: lease.task.id, attempt: lease.attempt };
  try {
    const body = await options.execute(lease.task.body, signal);
    if (options.signal.aborted) return await giveBack(lease, "its worker was stopped", 0);
    await lease.finish(body);
    return { ...ended, kind: "finished" };
  } catch (error) {
    if (EngineError.is(error, "queue.lease_lost")) return { ...ended, kind: "lost", problem: error.message };
    const isStopped = options.signal.aborted;
    return await giveBack(lease, isStopped ? "its worker was stopped" : messageOf(error), isStopped ? 0 : GIVE_BACK_MS);
  }
}

async function giveBack(lease: TaskLease, problem: string, delayMs: number): Promise<AttemptEnd> {
  const ended = { id: lease.task.id, attempt: lease.attempt, problem };
  try {
    await lease.giveBack(problem, { delayMs });
    return { ...ended, kind: "given_back" };
  } catch (error) {
    if (!EngineError.is(error, "queue.lease_lost")) throw error;
    return { ...ended, kind: "lost" };
  }
}

/**
 * Takes tasks from a queue and executes them until the signal fires. A task that another worker has taken over is ended,
 * and nothing of it is kept. Rejects with what the queue rejects with. architecture: work queue.
 */
export async function workOnQueue(queue: Pick<WorkQueue, "take">, options: WorkOnQueueOptions): Promise<void> {
  async function work(): Promise<void> {
    for (;;) {
      const lease = await queue.take({ signal: options.signal });
      if (lease === undefined) return;
      options.onEnd?.(await attempt(lease, options));
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 1) }, work));
}
