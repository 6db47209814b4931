import { randomUUID } from "node:crypto";
import { EngineError, type QueuedTask, type TaskLease } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import type { Broker } from "../broker/broker.ts";
import type { TaskMessage } from "./task-puller.ts";
import { putState, type QueueStreams, type TaskState } from "./task-state.ts";

/** A claimed task. */
export interface TakenTask {
  readonly task: QueuedTask;
  readonly attempt: number;
  /** Stored state of the attempt, and its sequence number. */
  readonly begun: TaskState;
  readonly place: number;
  readonly message: TaskMessage;
}

/** Settings of the worker that holds tasks. */
export interface TaskHolder {
  readonly broker: Broker;
  readonly queue: QueueStreams;
  /** Name of the worker, for records. */
  readonly worker: string;
  readonly leaseMs: number;
}

/** A task that this process holds. */
export interface HeldTask {
  readonly lease: TaskLease;
  /** Sends a heartbeat; failures are ignored. */
  beat(): Promise<void>;
  /** Stops the heartbeats. */
  stop(): void;
}

/** Holds a claimed task until it is finished, given back or lost. */
export function holdTask(holder: TaskHolder, taken: TakenTask): HeldTask {
  const { broker, queue, worker } = holder;
  const { task, attempt, message, begun } = taken;
  const { group, id } = task;
  const lost = new AbortController();
  const inTurn = createSerial();
  let { place } = taken;
  let isOver = false;
  const lostError = (): EngineError => new EngineError("queue.lease_lost", { taskId: id, attempt });

  function lose(): EngineError {
    isOver = true;
    if (!lost.signal.aborted) lost.abort(lostError());
    return lostError();
  }
  /** Stores a state after this worker's last one. Rejects with `queue.lease_lost` if there is one of another worker. */
  async function put(state: TaskState): Promise<void> {
    if (isOver) throw lostError();
    const kept = await putState(broker, queue, { state, behind: place, messageId: randomUUID() });
    if (kept === undefined) throw lose();
    place = kept;
  }
  async function beat(): Promise<void> {
    if (isOver) return;
    message.working();
    // An unavailable broker may be back at the next heartbeat.
    await inTurn(() => put(begun)).catch(() => undefined);
  }
  /** Ends this attempt with a state. */
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
      // If this is lost, the next worker finds the record.
      message.ack();
    },
    giveBack: async (problem, { delayMs = 0 } = {}) => {
      await end({ group, id, kind: "given_back", attempt, worker, problem });
      message.giveBack(delayMs);
    },
  };
  const stop = (): void => {
    isOver = true;
  };
  return { lease, beat, stop };
}
