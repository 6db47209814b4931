/** A task in a work queue, to be executed by one of several workers. */
export interface QueuedTask {
  /** Id of the group of tasks that the task belongs to, such as the tasks of one plan. */
  readonly group: string;
  /** Id of the task within its group. */
  readonly id: string;
  /** Description of the work: plain data without secrets. */
  readonly body: unknown;
}

/** Stored outcome of a task. Each finished or dead task has exactly one outcome. */
export interface TaskRecord {
  /** Group of the task. */
  readonly group: string;
  /** Id of the task within its group. */
  readonly id: string;
  /** `finished`: a worker reported an outcome. `dead`: every attempt was lost or returned to the queue. */
  readonly kind: "finished" | "dead";
  /** 1-based number of the attempt that finished the task. For a dead task, the number of attempts. */
  readonly attempt: number;
  /** Name of the worker that wrote the record. */
  readonly worker: string;
  /** Outcome that the worker reported; `undefined` for a dead task. */
  readonly body: unknown;
  /** Why the last attempt of a dead task did not finish. `undefined` if unknown. */
  readonly problem?: string | undefined;
  /** Body of a dead task, so that the task can be queued again. */
  readonly task?: unknown;
}

/** Notice that an attempt of a task has begun. */
export interface TaskAttempt {
  /** Group of the task. */
  readonly group: string;
  /** Id of the task within its group. */
  readonly id: string;
  /** Distinguishes this notice from a `TaskRecord`. */
  readonly kind: "begun";
  /** 1-based number of the attempt. */
  readonly attempt: number;
  /** Name of the worker. */
  readonly worker: string;
}

/** Options for `TaskLease.release`. */
export interface ReleaseOptions {
  /** Delay before the task can be taken again, in milliseconds. Default: 0. */
  readonly delayMs?: number | undefined;
}

/**
 * The right to work on a task. Contract: it belongs to one attempt. Each time the task is taken, a new attempt begins.
 * Once a later attempt exists, `finish` and `release` reject with `queue.lease_lost` and change nothing. The queue
 * renews the lease while this process is alive.
 */
export interface TaskLease {
  /** The task. */
  readonly task: QueuedTask;
  /**
   * 1-based number of this attempt. The queue compares it with the newest attempt's number, and rejects calls of
   * earlier attempts.
   */
  readonly attempt: number;
  /** Aborts when another worker has taken the task. */
  readonly signal: AbortSignal;
  /** Stores the outcome of the task, once. Rejects with `queue.lease_lost` or `broker.too_large`. */
  finish(body: unknown): Promise<void>;
  /** Returns the task to the queue for a later attempt, with the reason. Rejects with `queue.lease_lost`. */
  release(problem: string, options?: ReleaseOptions): Promise<void>;
}

/**
 * Distributes tasks among any number of workers in any number of processes.
 *
 * Contract: an added task is handed out until it has a record, even if workers die. Handing out the task begins a new
 * attempt, with the next number. After the last allowed attempt, the task is recorded as dead. A task with a record is
 * never handed out again.
 */
export interface WorkQueue extends AsyncDisposable {
  /**
   * Adds a task. Once it resolves, the task is stored. Waits while the queue is full, until the signal aborts. Resolves
   * with `known` if a task of this id was added before; the earlier task stays unchanged. Rejects with
   * `broker.too_large`.
   */
  add(task: QueuedTask, options?: { readonly signal?: AbortSignal | undefined }): Promise<"added" | "known">;
  /** Waits for a task and takes its lease. Resolves with `undefined` when the signal aborts or the queue is closed. */
  take(options?: { readonly signal?: AbortSignal | undefined }): Promise<TaskLease | undefined>;
  /** Streams the stored records of a group. */
  records(group: string): AsyncIterable<TaskRecord>;
  /** Streams the stored and future records of a group, and attempts as they begin. Ends when the signal aborts. */
  watch(group: string, signal: AbortSignal): AsyncIterable<TaskRecord | TaskAttempt>;
  /** Streams the dead tasks of a group, or of all groups. */
  dead(group?: string): AsyncIterable<TaskRecord>;
  /** Queues a dead task again; its attempt count is reset. Resolves with false if the task was not dead. */
  requeue(task: Pick<QueuedTask, "group" | "id">): Promise<boolean>;
  /** Removes a group of tasks, including their records. */
  forget(group: string): Promise<void>;
  /**
   * Closes the queue and ends pending calls. Tasks that this process has taken become available to other workers after
   * a while.
   */
  close(): Promise<void>;
}
