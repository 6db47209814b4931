import { randomUUID } from "node:crypto";
import type { JsMsg } from "@nats-io/jetstream";
import { EngineError, type QueuedTask, type TaskLease } from "@switchyard/contracts";
import { createSerial } from "../codec/create-serial.ts";
import type { Broker } from "./broker.ts";
import { putState, type QueuePlace, type TaskState } from "./task-state.ts";

/** Signs of life within the time after which a task is somebody else's. */
const BEATS = 3;

/** A task that was taken. */
export interface TakenTask {
  readonly task: QueuedTask;
  readonly attempt: number;
  /** What was kept of it, and where. */
  readonly begun: TaskState;
  readonly place: number;
  readonly message: JsMsg;
}

/** Who holds tasks, and for how long without a sign of life. */
export interface TaskHolder {
  readonly broker: Broker;
  readonly queue: QueuePlace;
  /** Its name, for records. */
  readonly worker: string;
  readonly leaseMs: number;
}

/** Keeps a task that was just taken alive until it is over, is given back, or somebody else has it. */
export function holdTask(holder: TaskHolder, taken: TakenTask): { lease: TaskLease; stop: () => void } {
  const { broker, queue, worker, leaseMs } = holder;
  const { task, attempt, message, begun } = taken;
  const { group, id } = task;
  const lost = new AbortController();
  const over = new AbortController();
  const inTurn = createSerial();
  let { place } = taken;
  const lostError = (): EngineError => new EngineError("queue.lease_lost", { taskId: id, attempt });

  function lose(): EngineError {
    over.abort();
    if (!lost.signal.aborted) lost.abort(lostError());
    return lostError();
  }
  /** Keeps a state behind this worker's last one. Rejects with `queue.lease_lost` when somebody else's is there. */
  async function put(state: TaskState): Promise<void> {
    if (over.signal.aborted) throw lostError();
    const kept = await putState(broker, queue, { state, behind: place, messageId: randomUUID() });
    if (kept === undefined) throw lose();
    place = kept;
  }
  /** Ends with the rejection of its sleep. */
  async function beat(): Promise<void> {
    for (;;) {
      await broker.timer.sleep(leaseMs / BEATS, { signal: over.signal, isBackground: true });
      message.working();
      // A broker that is away now may be back at the next beat.
      await inTurn(() => put(begun)).catch(() => undefined);
    }
  }
  /** Ends this attempt with a state. */
  async function end(state: TaskState): Promise<void> {
    await inTurn(() => put(state));
    over.abort();
  }
  beat().catch(() => undefined);
  const lease: TaskLease = {
    task,
    attempt,
    signal: lost.signal,
    finish: async (body) => {
      await end({ group, id, kind: "finished", attempt, worker, body });
      // When this gets lost, whoever gets the task next finds its record.
      await message.ackAck().catch(() => undefined);
    },
    giveBack: async (problem, { delayMs = 0 } = {}) => {
      await end({ group, id, kind: "given_back", attempt, worker, problem });
      message.nak(delayMs);
    },
  };
  return { lease, stop: () => over.abort() };
}
