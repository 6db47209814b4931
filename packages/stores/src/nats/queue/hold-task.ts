import { randomUUID } from "node:crypto";
import { EngineError, type QueuedTask, type TaskLease } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import type { Broker } from "../broker/broker.ts";
import type { TaskMessage } from "./task-puller.ts";
import { putState, type QueueStreams, type TaskState } from "./task-state.ts";

/** A task that a worker has claimed. */
export interface TakenTask {
  readonly task: QueuedTask;
  readonly attempt: number;
  /** Stored state of the current attempt, and its sequence number. */
  readonly begun: TaskState;
  readonly sequence: number;
  readonly message: TaskMessage;
}

/** Settings of the worker that has claimed tasks. */
export interface TaskHolder {
  readonly broker: Broker;
  readonly queue: QueueStreams;
  /** Name of the worker in the stored records of tasks. */
  readonly worker: string;
  readonly leaseMs: number;
}

/** A task that this process has claimed. */
export interface HeldTask {
  readonly lease: TaskLease;
  /** Sends a heartbeat; failures are ignored. */
  beat(): Promise<void>;
  /** Stops the heartbeats. */
  stop(): void;
}

/** Creates the lease of a claimed task. It ends when the task is finished, returned to the queue or lost. */
export function holdTask(holder: TaskHolder, taken: TakenTask): HeldTask {
  const { broker, queue, worker } = holder;
  const { task, attempt, message, begun } = taken;
  const { group, id } = task;
  const lost = new AbortController();
  const inTurn = createSerial();
  let { sequence } = taken;
  let isOver = false;
  const lostError = (): EngineError => new EngineError("queue.lease_lost", { taskId: id, attempt });

  function lose(): EngineError {
    isOver = true;
    if (!lost.signal.aborted) lost.abort(lostError());
    return lostError();
  }
  /** Stores the next state of the task. Rejects with `queue.lease_lost` if another worker has stored a state since. */
  async function put(state: TaskState): Promise<void> {
    if (isOver) throw lostError();
    const stored = await putState(broker, queue, { state, afterSequence: sequence, messageId: randomUUID() });
    if (stored === undefined) throw lose();
    sequence = stored;
  }
  async function beat(): Promise<void> {
    if (isOver) return;
    message.working();
    // A failed heartbeat is ignored, because the broker may be available again at the next one.
    await inTurn(() => put(begun)).catch(() => undefined);
  }
  /** Stores the final state of this attempt. */
  async function end(state: TaskState): Promise<void> {
    await inTurn(() => put(state));
    isOver = true;
  }
  const lease: TaskLease = {
    task,
    attempt,
    signal: lost.signal,
    finish: async (body) => {
      await end({ group, id, kind: "finished", attempt, worker, body });
      // If the acknowledgement is lost, the broker delivers the task again, and the next worker finds its record.
      message.ack();
    },
    release: async (problem, { delayMs = 0 } = {}) => {
      await end({ group, id, kind: "given_back", attempt, worker, problem });
      message.nak(delayMs);
    },
  };
  const stop = (): void => {
    isOver = true;
  };
  return { lease, beat, stop };
}
