import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import {
  EngineError,
  type QueuedTask,
  type TaskAttempt,
  type TaskLease,
  type TaskRecord,
  type WorkQueue,
} from "@switchyard/contracts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import { assertDurable } from "./broker/assert-durable.ts";
import { openBroker } from "./broker/broker.ts";
import type { BrokerDurability } from "./broker/broker-durability.ts";
import { isMissing } from "./broker/broker-failure.ts";
import type { BrokerOptions } from "./broker/broker-options.ts";
import { deleteMessages } from "./broker/delete-messages.ts";
import { assertStreamName, openStream } from "./broker/open-stream.ts";
import { type HeldTask, holdTask, type TakenTask, type TaskHolder } from "./queue/hold-task.ts";
import { addTask, recordsOf, requeueTask } from "./queue/queued-tasks.ts";
import { type TaskMessage, TaskPuller } from "./queue/task-puller.ts";
import {
  findState,
  parseTask,
  partSubjects,
  putState,
  queueStreamsOf,
  recordIn,
  stateSubject,
  todoSubject,
} from "./queue/task-state.ts";
import { watchTasks } from "./queue/watch-tasks.ts";

/** Options for `openNatsWorkQueue`. */
export interface NatsWorkQueueOptions extends BrokerOptions {
  /**
   * Prefix in the names of the queue's streams and subjects. Queues with the same prefix share their tasks. Default:
   * `switchyard`.
   */
  readonly name?: string | undefined;
  /** Name of this worker in the stored records of tasks. Default: a random name. */
  readonly worker?: string | undefined;
  /** Time without a heartbeat after which another worker may take a task, in milliseconds. Default: 30,000. */
  readonly leaseMs?: number | undefined;
  /** Number of attempts before a task is recorded as dead. Default: 3. */
  readonly maxAttempts?: number | undefined;
  /**
   * Maximum number of waiting tasks, set when the queue is created. While the queue is full, `add` waits. Default:
   * 10,000.
   */
  readonly capacity?: number | undefined;
  /** Number of copies of each stream in a NATS cluster, set when the streams are created. Default: 1. */
  readonly replicas?: number | undefined;
  /**
   * Failures that an added task and a stored record survive: the end of processes (`process`), or also a power failure
   * (`power`). Default: `process`.
   */
  readonly durability?: BrokerDurability | undefined;
  /** Clock and timers. Default: the system's monotonic clock. */
  readonly timer?: StoreTimer | undefined;
}

const LEASE_MS = 30_000;
const MAX_ATTEMPTS = 3;
const CAPACITY = 10_000;
const NANOSECONDS = 1e6;
/** Wait before the next request if the broker does not respond, in milliseconds. */
const PAUSE_MS = 200;
/**
 * Number of heartbeats that a worker sends per lease time. The lease time is the time without a heartbeat after which
 * another worker may take the task.
 */
const HEARTBEATS_PER_LEASE = 3;
const WORKERS = "workers";
/** Number of consecutive checks without a new heartbeat after which a task counts as abandoned. */
const HEARTBEAT_CHECKS = 10;

interface QueueParts extends TaskHolder {
  readonly maxAttempts: number;
}

async function openQueue(options: NatsWorkQueueOptions): Promise<QueueParts> {
  const { name = "switchyard", worker = randomUUID(), leaseMs = LEASE_MS, maxAttempts = MAX_ATTEMPTS } = options;
  const { capacity = CAPACITY, replicas: num_replicas = 1, durability = "process" } = options;
  assertStreamName(name);
  const broker = await openBroker(options, options.timer ?? SYSTEM_TIMER);
  const queue = queueStreamsOf(name);
  try {
    await assertDurable(broker, durability);
    const shape = { max_age: 0, num_replicas, storage: "file" } as const;
    const todo = { ...shape, name: queue.todoStream, retention: "workqueue" } as const;
    // The capacity of an existing queue is not changed.
    await openStream(broker, { ...todo, subjects: [`${name}.task.todo.>`] }, { max_msgs: capacity });
    const states = { name: queue.stateStream, subjects: [`${name}.task.state.>`] };
    await openStream(broker, { ...shape, ...states, max_msgs: -1, max_msgs_per_subject: 1 });
    await openStream(broker, { ...shape, name: queue.partStream, subjects: [partSubjects(queue)], max_msgs: -1 });
    await broker.ask(() =>
      broker.jsm.consumers.add(queue.todoStream, {
        durable_name: WORKERS,
        ack_policy: "explicit",
        ack_wait: leaseMs * NANOSECONDS,
        max_deliver: -1,
        max_ack_pending: -1,
      }),
    );
    return { broker, queue, worker, leaseMs, maxAttempts };
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/**
 * Resolves with true if the worker of a task sends no heartbeats. The number of checks decides, not the elapsed time,
 * because this machine may have been asleep.
 */
async function isAbandoned(
  { broker, queue, leaseMs }: QueueParts,
  task: QueuedTask,
  sequence: number,
): Promise<boolean> {
  for (let look = 0; look < HEARTBEAT_CHECKS; look += 1) {
    await broker.timer.sleep(leaseMs / HEARTBEAT_CHECKS, { isBackground: true });
    if ((await findState(broker, queue, task)).sequence !== sequence) return false;
  }
  return true;
}

/**
 * Records that this worker has started the next attempt of a task. Resolves with `undefined` if another worker has
 * started an attempt first.
 *
 * If the broker's answer takes long, for example because the connection was lost, another worker may have taken over the
 * task in between, and even finished it. The attempt is then stored again, which fails if that has happened.
 */
async function begin(
  { broker, queue, worker, leaseMs }: QueueParts,
  {
    task,
    message,
    before,
    ...change
  }: { task: QueuedTask; message: TaskMessage; before: number; afterSequence: number },
): Promise<TakenTask | undefined> {
  const { group, id } = task;
  const [attempt, delivery] = [before + 1, message.deliveries];
  const begun = { group, id, kind: "begun", attempt, worker, delivery } as const;
  let { afterSequence } = change;
  for (;;) {
    const sentAtMs = performance.now();
    const sequence = await putState(broker, queue, { state: begun, afterSequence, messageId: randomUUID() });
    if (sequence === undefined) return undefined;
    if (performance.now() - sentAtMs < leaseMs / 2) return { task, attempt, begun, sequence, message };
    message.working();
    afterSequence = sequence;
  }
}

/**
 * Claims a task that the broker delivered. Resolves with `undefined` if the task is finished, or another worker has
 * claimed it first.
 */
async function claim(parts: QueueParts, message: TaskMessage): Promise<TakenTask | undefined> {
  const { broker, queue, worker, maxAttempts } = parts;
  const task = parseTask(message.data);
  if (task === undefined) {
    message.ack();
    return undefined;
  }
  // A stored state is rare on first delivery and is not read: if there is one, the broker rejects the write.
  const first =
    message.deliveries === 1 ? await begin(parts, { task, message, before: 0, afterSequence: 0 }) : undefined;
  if (first !== undefined) return first;
  const { group, id } = task;
  for (;;) {
    const { state, sequence: afterSequence } = await findState(broker, queue, task);
    if (recordIn(state) !== undefined) {
      message.ack();
      return undefined;
    }
    const before = state !== undefined && "attempt" in state ? state.attempt : 0;
    if (before >= maxAttempts) {
      const problem = state?.kind === "given_back" ? state.problem : "its worker sent no more heartbeats";
      const dead = {
        group,
        id,
        kind: "dead",
        attempt: before,
        worker,
        problem,
        body: undefined,
        task: task.body,
      } as const;
      await putState(broker, queue, { state: dead, afterSequence: afterSequence, messageId: randomUUID() });
      continue;
    }
    // The broker has forgotten that it delivered the task, and another worker is still working on it.
    if (state?.kind === "begun" && message.deliveries <= state.delivery) {
      if (!(await isAbandoned(parts, task, afterSequence))) return undefined;
    }
    const taken = await begin(parts, { task, message, before, afterSequence });
    if (taken !== undefined) return taken;
  }
}

/** The tasks that this process has claimed and not finished. */
class HeldTasks {
  readonly #parts: QueueParts;
  readonly #intake: TaskPuller;
  readonly #held = new Set<HeldTask>();
  #ended: AbortController | undefined;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#intake = new TaskPuller(parts.broker, { stream: parts.queue.todoStream, consumer: WORKERS });
  }

  async take(signals: readonly AbortSignal[]): Promise<TaskLease | undefined> {
    const isOver = (): boolean => signals.some(({ aborted }) => aborted);
    while (!isOver()) {
      const pulled = await this.#intake.next(signals);
      if (pulled === "away" && !isOver()) await this.#pause(signals);
      if (typeof pulled === "string") continue;
      const taken = await claim(this.#parts, pulled);
      if (taken !== undefined) return this.#hold(taken);
    }
    return undefined;
  }

  /** Waits while the broker is unavailable. Rejects if the queue itself was removed. */
  async #pause(signals: readonly AbortSignal[]): Promise<void> {
    const { broker, queue } = this.#parts;
    await broker.timer.sleep(PAUSE_MS, { signal: AbortSignal.any([...signals]) }).catch(() => undefined);
    await broker.jsm.consumers.info(queue.todoStream, WORKERS).catch((error: unknown) => {
      if (isMissing(error)) throw error;
    });
  }

  #hold(taken: TakenTask): TaskLease {
    const held = holdTask(this.#parts, taken);
    const { lease } = held;
    this.#held.add(held);
    if (this.#ended === undefined) this.#beginToBeat();
    const release = async (ending: Promise<void>): Promise<void> => {
      await ending;
      this.#held.delete(held);
    };
    return {
      ...lease,
      finish: (body) => release(lease.finish(body)),
      release: (problem, options) => release(lease.release(problem, options)),
    };
  }

  /** One timer sends the heartbeats of all tasks, because most tasks are finished before it fires. */
  #beginToBeat(): void {
    const ended = new AbortController();
    this.#ended = ended;
    this.#beat(ended.signal).catch(() => undefined);
  }

  /** Sends heartbeats until the signal aborts, which makes the sleep between them reject. */
  async #beat(signal: AbortSignal): Promise<void> {
    const { broker, leaseMs } = this.#parts;
    for (;;) {
      await broker.timer.sleep(leaseMs / HEARTBEATS_PER_LEASE, { signal, isBackground: true });
      for (const held of this.#held) void held.beat();
    }
  }

  stop(): void {
    this.#ended?.abort();
    for (const held of this.#held) held.stop();
    this.#held.clear();
  }
}

/**
 * Opens a work queue on a NATS server with JetStream. The server delivers a task to one worker at a time. If the worker
 * sends no heartbeats, the task is delivered to another worker. Each stored change of a task contains the number of the
 * previous change, so that a worker that lost a task cannot overwrite its state. Requires the NATS client packages.
 * Rejects like `openNatsStore`.
 */
export async function openNatsWorkQueue(options: NatsWorkQueueOptions): Promise<WorkQueue> {
  const parts = await openQueue(options);
  const { broker, queue } = parts;
  const held = new HeldTasks(parts);
  const closing = new AbortController();
  // Each waiting worker adds a listener to the signal, so Node's warning about many listeners is disabled.
  setMaxListeners(0, closing.signal);
  const untilClosed = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
  const assertOpen = (): void => {
    if (closing.signal.aborted) throw new EngineError("queue.closed");
  };
  async function close(): Promise<void> {
    if (closing.signal.aborted) return;
    closing.abort();
    held.stop();
    await broker.close();
  }
  return {
    add: async (task, { signal } = {}) => {
      assertOpen();
      return await addTask(parts, task, untilClosed(signal));
    },
    take: async ({ signal } = {}) => {
      assertOpen();
      if (signal !== undefined) setMaxListeners(0, signal);
      return await held.take(signal === undefined ? [closing.signal] : [signal, closing.signal]);
    },
    records: (group) => recordsOf(parts, group),
    watch: (group, signal): AsyncIterable<TaskRecord | TaskAttempt> =>
      watchTasks(broker, { queue, group, signal: untilClosed(signal) }),
    dead: async function* (group) {
      for await (const record of recordsOf(parts, group)) if (record.kind === "dead") yield record;
    },
    requeue: (task) => requeueTask(parts, task),
    forget: async (group) => {
      await deleteMessages(broker, { stream: queue.todoStream, subject: todoSubject(queue, group) });
      await deleteMessages(broker, { stream: queue.stateStream, subject: stateSubject(queue, group) });
      await deleteMessages(broker, { stream: queue.partStream, subject: partSubjects(queue, group) });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
