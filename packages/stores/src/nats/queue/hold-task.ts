import { randomUUID } from "node:crypto";
import { EngineError, type QueuedTask, type TaskLease } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import type { Broker } from "../broker/broker.ts";
import type { TaskMessage } from "./task-intake.ts";
import { putState, type QueuePlace, type TaskState } from "./task-state.ts";

/** A task that was taken. */
export interface TakenTask {
  readonly task: QueuedTask;
  readonly attempt: number;
  /** What was kept of it, and where. */
  readonly begun: TaskState;
  readonly place: number;
  readonly message: TaskMessage;
}

/** Who holds tasks, and for how long without a sign of life. */
export interface TaskHolder {
  readonly broker: Broker;
  readonly queue: QueuePlace;
  /** Its name, for records. */
  readonly worker: string;
  readonly leaseMs: number;
}

/** A task that this process holds. */
export interface HeldTask {
  readonly lease: TaskLease;
  /** Gives a sign of life; nothing is heard of it when the broker is away. */
  beat(): Promise<void>;
  /** Gives no more of them. */
  stop(): void;
}

/** Holds a task that was just taken until it is over, is given back, or somebody else has it. */
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
  /** Keeps a state behind this worker's last one. Rejects with `queue.lease_lost` when somebody else's is there. */
  async function put(state: TaskState): Promise<void> {
    if (isOver) throw lostError();
    const kept = await putState(broker, queue, { state, behind: place, messageId: randomUUID() });
    if (kept === undefined) throw lose();
    place = kept;
  }
  async function beat(): Promise<void> {
    if (isOver) return;
    message.working();
    // A broker that is away now may be back at the next beat.
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
      // When this gets lost, whoever gets the task next finds its record.
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
