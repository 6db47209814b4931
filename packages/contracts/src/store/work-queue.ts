/** Something to be done by one of many workers. */
export interface QueuedTask {
  /** What it belongs to, such as a plan. */
  readonly group: string;
  /** Its name within the group. */
  readonly id: string;
  /** What is to be done: plain data without secrets. */
  readonly body: unknown;
}

/** What came of a task: there is exactly one of each task that is over. */
export interface TaskRecord {
  /** What the task belongs to. */
  readonly group: string;
  /** The task's name within the group. */
  readonly id: string;
  /** `finished`: a worker says what came of it. `dead`: no attempt came to an end. */
  readonly kind: "finished" | "dead";
  /** Number of the attempt that it comes from, 1-based; of a dead one, how many there were. */
  readonly attempt: number;
  /** Who wrote it. */
  readonly worker: string;
  /** What the worker says; of a dead one, nothing. */
  readonly body: unknown;
  /** Why the last attempt of a dead one did not come to an end, as far as that is known. */
  readonly problem?: string | undefined;
  /** What was to be done, of a dead one: it can be queued again. */
  readonly task?: unknown;
}

/** A worker has begun an attempt of a task, the second or a later one after somebody else's was lost. */
export interface TaskAttempt {
  /** What the task belongs to. */
  readonly group: string;
  /** The task's name within the group. */
  readonly id: string;
  /** That is what has happened. */
  readonly kind: "begun";
  /** 1-based. */
  readonly attempt: number;
  /** Who is at it. */
  readonly worker: string;
}

/** How a task is given back. */
export interface GiveBackOptions {
  /** Milliseconds before anybody takes it again; 0 by default. */
  readonly delayMs?: number | undefined;
}

/**
 * The right to work on a task. Contract: bound to an attempt, which rises with everybody who takes the task; once a
 * later one exists, `finish` and `giveBack` reject with `queue.lease_lost` and change nothing. The queue keeps the
 * lease alive as long as this process is.
 */
export interface TaskLease {
  /** What is to be done. */
  readonly task: QueuedTask;
  /** 1-based number of this attempt, and the epoch of the lease. */
  readonly attempt: number;
  /** Fires when somebody else has the task. */
  readonly signal: AbortSignal;
  /** Writes the task's record; there is none before. Rejects with `queue.lease_lost` or `broker.too_large`. */
  finish(body: unknown): Promise<void>;
  /** Leaves the task to a later attempt, and says why. Rejects with `queue.lease_lost`. */
  giveBack(problem: string, options?: GiveBackOptions): Promise<void>;
}

/**
 * Tasks for any number of workers in any number of processes. Contract: a task that was added is taken until it has
 * its record, however many workers die; each time is an attempt with a number of its own; after the last one the
 * record says that it is dead. A task with a record is never taken again. architecture: work queue.
 */
export interface WorkQueue extends AsyncDisposable {
  /**
   * Adds a task; when it resolves, the task is kept. Waits while the queue is full, until the signal fires. Says
   * `known` when a task of that name was added before, which then stays as it is. Rejects with `broker.too_large`.
   */
  add(task: QueuedTask, options?: { readonly signal?: AbortSignal | undefined }): Promise<"added" | "known">;
  /** Takes a task, waiting for one; nothing when the signal has fired or the queue was closed. */
  take(options?: { readonly signal?: AbortSignal | undefined }): Promise<TaskLease | undefined>;
  /** The records of a group that are there by now. */
  records(group: string): AsyncIterable<TaskRecord>;
  /** The records of a group that are there by now and those that come, and attempts that begin; ends with the signal. */
  watch(group: string, signal: AbortSignal): AsyncIterable<TaskRecord | TaskAttempt>;
  /** The dead tasks of a group, or of all groups. */
  dead(group?: string): AsyncIterable<TaskRecord>;
  /** Has a dead task done after all, with all its attempts; says whether it was dead. */
  requeue(task: Pick<QueuedTask, "group" | "id">): Promise<boolean>;
  /** Removes a group with its tasks and records. */
  forget(group: string): Promise<void>;
  /** Ends what waits; tasks that are taken are lost to others after a while. */
  close(): Promise<void>;
}
