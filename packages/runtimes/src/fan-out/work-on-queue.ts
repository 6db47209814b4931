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

/** What an execution gave, or what it threw. */
type Executed = { readonly body: unknown } | { readonly error: unknown };

async function execute({ task, signal: lost }: TaskLease, options: WorkOnQueueOptions): Promise<Executed> {
  try {
    return { body: await options.execute(task.body, AbortSignal.any([options.signal, lost])) };
  } catch (error) {
    return { error };
  }
}

/** Writes what came of an attempt, and tells of it. */
async function end(lease: TaskLease, executed: Executed, options: WorkOnQueueOptions): Promise<void> {
  options.onEnd?.(await endOf(lease, executed, options));
}

async function endOf(lease: TaskLease, executed: Executed, { signal }: WorkOnQueueOptions): Promise<AttemptEnd> {
  if (signal.aborted) {
    const isStopped = !("error" in executed) || executed.error === signal.reason;
    return await giveBack(lease, isStopped ? "its worker was stopped" : messageOf(executed.error), 0);
  }
  if ("error" in executed) return await giveBack(lease, messageOf(executed.error), GIVE_BACK_MS);
  const ended = { id: lease.task.id, attempt: lease.attempt };
  try {
    await lease.finish(executed.body);
    return { ...ended, kind: "finished" };
  } catch (error) {
    if (EngineError.is(error, "queue.lease_lost")) return { ...ended, kind: "lost", problem: error.message };
    return await giveBack(lease, messageOf(error), GIVE_BACK_MS);
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
    let ending: Promise<void> | undefined;
    for (;;) {
      // While the queue keeps a record it is asked for the next task.
      const [lease] = await Promise.all([queue.take({ signal: options.signal }), ending]);
      if (lease === undefined) return;
      const body = await execute(lease, options);
      ending = end(lease, body, options);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 1) }, work));
}
