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
 * Returns the update to report for a newly stored task state. `undefined` if the state was only stored as a heartbeat.
 */
function updateIn(state: TaskState | undefined, begun: Map<string, number>): TaskRecord | TaskAttempt | undefined {
  if (state?.kind !== "begun") return recordIn(state);
  const { group, id, kind, attempt, worker } = state;
  if (begun.get(id) === attempt) return undefined;
  begun.set(id, attempt);
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
  const begun = new Map<string, number>();
  const stop = (): void => messages.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const { data, subject, headers } of messages) {
      if (signal.aborted) return;
      const message = { data, subject, header: (name: string) => headers?.get(name) ?? "" };
      const update = updateIn(await readState(broker, queue, message), begun);
      if (update !== undefined) yield update;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    messages.stop();
    await reader.delete().catch(() => undefined);
  }
}
