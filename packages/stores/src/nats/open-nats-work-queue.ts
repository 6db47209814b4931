import { randomUUID } from "node:crypto";
import type { Consumer, JsMsg } from "@nats-io/jetstream";
import {
  EngineError,
  type QueuedTask,
  type TaskAttempt,
  type TaskLease,
  type TaskRecord,
  type WorkQueue,
} from "@switchyard/contracts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import { assertDurable, type BrokerDurability } from "./assert-durable.ts";
import { type Broker, openBroker } from "./broker.ts";
import { isMissing } from "./broker-failure.ts";
import type { BrokerOptions } from "./broker-options.ts";
import { holdTask, type TakenTask, type TaskHolder } from "./hold-task.ts";
import { assertStreamName, openStream } from "./open-stream.ts";
import { readMessages } from "./read-messages.ts";
import { sendMessage } from "./send-message.ts";
import {
  findState,
  parseState,
  parseTask,
  putState,
  type QueuePlace,
  queuePlaceOf,
  recordIn,
  stateSubject,
  todoSubject,
} from "./task-state.ts";
import { watchTasks } from "./watch-tasks.ts";

/** How a queue on a broker is opened. */
export interface NatsWorkQueueOptions extends BrokerOptions {
  /** First word of its streams and subjects; `switchyard` by default. Queues of one name are one queue. */
  readonly name?: string | undefined;
  /** Name of this worker in records; made by chance by default. */
  readonly worker?: string | undefined;
  /** Milliseconds without a sign of life after which another worker may have a task; 30,000 by default. */
  readonly leaseMs?: number | undefined;
  /** Attempts of a task before its record says that it is dead; 3 by default. */
  readonly maxAttempts?: number | undefined;
  /** Tasks that wait, when the queue is made: then adding waits; 10,000 by default. */
  readonly capacity?: number | undefined;
  /** Copies that the broker keeps, on servers of their own, when the queue is made; 1 by default. */
  readonly replicas?: number | undefined;
  /** What an added task and a record outlive; `process` by default. */
  readonly durability?: BrokerDurability | undefined;
  /** How time is measured and waited for. */
  readonly timer?: StoreTimer | undefined;
}

const LEASE_MS = 30_000;
const MAX_ATTEMPTS = 3;
const CAPACITY = 10_000;
const NANOSECONDS = 1e6;
/** Milliseconds of one request for a task, and the pause before the next one when the broker does not answer. */
const PULL_MS = 2_000;
const PAUSE_MS = 200;
/** Milliseconds after which a full queue is tried again. */
const FULL_MS = 50;
const WORKERS = "workers";
/** How often a task is looked at while it is found out whether its worker is at it. */
const LOOKS = 10;

interface QueueParts extends TaskHolder {
  readonly consumer: Consumer;
  readonly maxAttempts: number;
}

async function openQueue(options: NatsWorkQueueOptions): Promise<QueueParts> {
  const { name = "switchyard", worker = randomUUID(), leaseMs = LEASE_MS, maxAttempts = MAX_ATTEMPTS } = options;
  const { capacity = CAPACITY, replicas: num_replicas = 1, durability = "process" } = options;
  assertStreamName(name);
  const broker = await openBroker(options, options.timer ?? SYSTEM_TIMER);
  const queue = queuePlaceOf(name);
  try {
    await assertDurable(broker, durability);
    const shape = { max_age: 0, num_replicas, storage: "file" } as const;
    const todo = { ...shape, name: queue.todoStream, retention: "workqueue" } as const;
    // How many may wait is up to whoever made it.
    await openStream(broker, { ...todo, subjects: [`${name}.task.todo.>`] }, { max_msgs: capacity });
    const states = { name: queue.stateStream, subjects: [`${name}.task.state.>`] };
    await openStream(broker, { ...shape, ...states, max_msgs: -1, max_msgs_per_subject: 1 });
    const consumer = await broker.ask(async () => {
      await broker.jsm.consumers.add(queue.todoStream, {
        durable_name: WORKERS,
        ack_policy: "explicit",
        ack_wait: leaseMs * NANOSECONDS,
        max_deliver: -1,
        max_ack_pending: -1,
      });
      return await broker.js.consumers.get(queue.todoStream, WORKERS);
    });
    return { broker, queue, worker, leaseMs, maxAttempts, consumer };
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/** Adds a task unless it was added before. */
async function addTask(
  { broker, queue }: QueueParts,
  task: QueuedTask,
  signal: AbortSignal | undefined,
): Promise<"added" | "known"> {
  const { group, id } = task;
  const state = { group, id, kind: "queued" } as const;
  const isNew = (await putState(broker, queue, { state, behind: 0, messageId: randomUUID() })) !== undefined;
  if (!isNew && recordIn((await findState(broker, queue, task)).state) !== undefined) return "known";
  // Whoever added it may have died before this; when it waits already, the broker refuses a second one.
  const todo = { subject: todoSubject(queue, group, id), data: JSON.stringify(task), last: 0 };
  for (;;) {
    const sent = await sendMessage(broker, { ...todo, messageId: randomUUID() }, signal);
    if (sent.kind !== "full") return isNew ? "added" : "known";
    await broker.timer.sleep(FULL_MS, { signal });
  }
}

/** Whether a task's worker gives no sign of life. Looks are counted, not time: others may have slept as well. */
async function isAbandoned({ broker, queue, leaseMs }: QueueParts, task: QueuedTask, place: number): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    await broker.timer.sleep(leaseMs / LOOKS, { isBackground: true });
    if ((await findState(broker, queue, task)).place !== place) return false;
  }
  return true;
}

/** Makes a delivered task this worker's; nothing when there is nothing to do, or somebody else was faster. */
async function claim(parts: QueueParts, message: JsMsg): Promise<TakenTask | undefined> {
  const { broker, queue, worker, maxAttempts } = parts;
  const task = parseTask(message.data);
  if (task === undefined) {
    message.term("it is no task");
    return undefined;
  }
  const { group, id } = task;
  for (;;) {
    const { state, place: behind } = await findState(broker, queue, task);
    if (recordIn(state) !== undefined) {
      await message.ackAck().catch(() => undefined);
      return undefined;
    }
    const before = state !== undefined && "attempt" in state ? state.attempt : 0;
    const messageId = randomUUID();
    if (before >= maxAttempts) {
      const problem = state?.kind === "given_back" ? state.problem : "its worker gave no sign of life any more";
      const dead = { group, id, kind: "dead", attempt: before, worker, problem, body: undefined } as const;
      await putState(broker, queue, { state: dead, behind, messageId });
      continue;
    }
    // The broker has forgotten that it delivered the task to somebody who is at it.
    if (state?.kind === "begun" && message.info.deliveryCount <= state.delivery) {
      if (!(await isAbandoned(parts, task, behind))) return undefined;
    }
    const delivery = message.info.deliveryCount;
    const begun = { group, id, kind: "begun", attempt: before + 1, worker, delivery } as const;
    const place = await putState(broker, queue, { state: begun, behind, messageId });
    if (place !== undefined) return { task, attempt: before + 1, begun, place, message };
  }
}

/** Waits for a task that is delivered to this worker; nothing when none came for a while. */
async function nextMessage({ broker, consumer }: QueueParts, signal: AbortSignal): Promise<JsMsg | undefined> {
  try {
    return (await consumer.next({ expires: PULL_MS })) ?? undefined;
  } catch (error) {
    // The broker is away, or has just come back and does not know yet of what it kept.
    if (isMissing(error)) throw error;
    await broker.timer.sleep(PAUSE_MS, { signal }).catch(() => undefined);
    return undefined;
  }
}

/** The tasks that this process holds. */
class HeldTasks {
  readonly #parts: QueueParts;
  readonly #stops = new Set<() => void>();

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  async take(signal: AbortSignal): Promise<TaskLease | undefined> {
    while (!signal.aborted) {
      const message = await nextMessage(this.#parts, signal);
      if (message === undefined) continue;
      if (signal.aborted) {
        // For somebody else, at once.
        message.nak();
        return undefined;
      }
      const taken = await claim(this.#parts, message);
      if (taken !== undefined) return this.#hold(taken);
    }
    return undefined;
  }

  #hold(taken: TakenTask): TaskLease {
    const { lease, stop } = holdTask(this.#parts, taken);
    this.#stops.add(stop);
    const release = async (ending: Promise<void>): Promise<void> => {
      await ending;
      this.#stops.delete(stop);
    };
    return {
      ...lease,
      finish: (body) => release(lease.finish(body)),
      giveBack: (problem, options) => release(lease.giveBack(problem, options)),
    };
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }
}

async function* recordsOf(
  broker: Broker,
  queue: QueuePlace,
  group: string,
): AsyncGenerator<TaskRecord, void, undefined> {
  const reading = { stream: queue.stateStream, subject: stateSubject(queue, group) };
  for await (const { data } of readMessages(broker, reading)) {
    const record = recordIn(parseState(data));
    if (record !== undefined) yield record;
  }
}

/**
 * Opens a work queue on a NATS server with JetStream. The server delivers a task to one worker at a time and again when
 * that gives no sign of life; each change of a task names its predecessor, so a worker that lost a task writes nothing.
 * Needs the packages of the client. Rejects like `openNatsStore`. architecture: work queue.
 */
export async function openNatsWorkQueue(options: NatsWorkQueueOptions): Promise<WorkQueue> {
  const parts = await openQueue(options);
  const { broker, queue } = parts;
  const held = new HeldTasks(parts);
  const closing = new AbortController();
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
      return await held.take(untilClosed(signal));
    },
    records: (group) => recordsOf(broker, queue, group),
    watch: (group, signal): AsyncIterable<TaskRecord | TaskAttempt> =>
      watchTasks(broker, { queue, group, signal: untilClosed(signal) }),
    forget: async (group) => {
      const purge = (stream: string, filter: string): Promise<unknown> =>
        broker.ask(() => broker.jsm.streams.purge(stream, { filter }));
      await purge(queue.todoStream, todoSubject(queue, group));
      await purge(queue.stateStream, stateSubject(queue, group));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
