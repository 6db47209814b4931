import type { TaskAttempt, TaskRecord } from "@switchyard/contracts";
import type { Broker } from "../broker/broker.ts";
import { type QueuePlace, readState, recordIn, stateSubject, type TaskState } from "./task-state.ts";

/** Milliseconds of one request for more: after about as long without a sign of the broker, reading begins anew. */
const PULL_MS = 4_000;

/** Which tasks are watched, and until when. */
export interface WatchOptions {
  readonly queue: QueuePlace;
  readonly group: string;
  readonly signal: AbortSignal;
}

/** What a state says that was not said before: a sign of life says nothing. */
function updateIn(state: TaskState | undefined, begun: Map<string, number>): TaskRecord | TaskAttempt | undefined {
  if (state?.kind !== "begun") return recordIn(state);
  const { group, id, kind, attempt, worker } = state;
  if (begun.get(id) === attempt) return undefined;
  begun.set(id, attempt);
  return { group, id, kind, attempt, worker };
}

/** How the tasks of a group stand by now, and what changes until the signal fires. */
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
