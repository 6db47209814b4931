import type { TaskAttempt, TaskRecord } from "@switchyard/contracts";
import type { Broker } from "../broker/broker.ts";
import { type QueueStreams, readState, recordIn, stateSubject, type TaskState } from "./task-state.ts";

/**
 * Duration of one request for messages to the broker, in milliseconds. If the broker sends no heartbeat for about this
 * time, a new consumer is opened.
 */
const PULL_MS = 4_000;

/** Options for watching tasks. */
export interface WatchOptions {
  readonly queue: QueueStreams;
  readonly group: string;
  readonly signal: AbortSignal;
}

/**
 * Returns the state that watchers of a task receive: its record once it is finished, or the attempt while a worker
 * executes it. `undefined` while the task waits.
 */
function updateIn(state: TaskState | undefined): TaskRecord | TaskAttempt | undefined {
  if (state?.kind !== "begun") return recordIn(state);
  const { group, id, kind, attempt, worker } = state;
  return { group, id, kind, attempt, worker };
}

/** Yields the current states of a group's tasks, and then each change of state, until the signal aborts. */
export async function* watchTasks(
  broker: Broker,
  { queue, group, signal }: WatchOptions,
): AsyncGenerator<TaskRecord | TaskAttempt, void, undefined> {
  if (signal.aborted) return;
  const filter = stateSubject(queue, group);
  const reader = await broker.ask(
    () => broker.js.consumers.get(queue.stateStream, { filter_subjects: filter }),
    signal,
  );
  const messages = await reader.consume({ expires: PULL_MS });
  // Last reported state of each task, so that no state is reported twice. A heartbeat stores the same state again, and
  // a broker that was killed may deliver a state twice.
  const reported = new Map<string, string>();
  const stop = (): void => messages.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const { data, subject, headers } of messages) {
      if (signal.aborted) return;
      const message = { data, subject, header: (name: string) => headers?.get(name) ?? "" };
      const update = updateIn(await readState(broker, queue, message));
      if (update === undefined) continue;
      const change = `${update.kind} ${update.attempt}`;
      if (reported.get(update.id) === change) continue;
      reported.set(update.id, change);
      yield update;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    messages.stop();
    await reader.delete().catch(() => undefined);
  }
}
