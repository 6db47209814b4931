import { randomUUID } from "node:crypto";
import type { QueuedTask, TaskRecord } from "@switchyard/contracts";
import { readMessages } from "../broker/read-messages.ts";
import { sendMessage } from "../broker/send-message.ts";
import type { TaskHolder } from "./hold-task.ts";
import { findState, putState, readState, recordIn, stateSubject, todoSubject } from "./task-state.ts";

/** Wait before adding to a full queue is retried, in milliseconds. */
const FULL_MS = 50;

/** Adds a task. Does nothing if the task was added before. */
export async function addTask(
  { broker, queue }: TaskHolder,
  task: QueuedTask,
  signal: AbortSignal | undefined,
): Promise<"added" | "known"> {
  const { group, id } = task;
  const { state } = await findState(broker, queue, task);
  if (recordIn(state) !== undefined) return "known";
  // The broker rejects a duplicate of a waiting task. A task that has a record is finished and is not delivered again.
  const todo = { subject: todoSubject(queue, group, id), data: JSON.stringify(task), last: 0 };
  for (;;) {
    const sent = await sendMessage(broker, { ...todo, messageId: randomUUID() }, signal);
    if (sent.kind === "kept" && state === undefined) return "added";
    if (sent.kind !== "full") return "known";
    await broker.timer.sleep(FULL_MS, { signal });
  }
}

/** Streams the stored records of a group, or of all groups. */
export async function* recordsOf(
  { broker, queue }: TaskHolder,
  group?: string,
): AsyncGenerator<TaskRecord, void, undefined> {
  const reading = { stream: queue.stateStream, subject: stateSubject(queue, group) };
  for await (const message of readMessages(broker, reading)) {
    const record = recordIn(await readState(broker, queue, message));
    if (record !== undefined) yield record;
  }
}

/** Adds a task again whose attempts have all failed. Resolves with false if the task is not in that state. */
export async function requeueTask(
  holder: TaskHolder,
  { group, id }: Pick<QueuedTask, "group" | "id">,
): Promise<boolean> {
  const { broker, queue, worker } = holder;
  const { state, place: behind } = await findState(broker, queue, { group, id });
  if (state?.kind !== "dead") return false;
  const again = { group, id, kind: "given_back", attempt: 0, worker, problem: state.problem ?? "" } as const;
  if ((await putState(broker, queue, { state: again, behind, messageId: randomUUID() })) === undefined) return false;
  // The record of the dead task is already replaced, so the task can be added again if this process dies now.
  await addTask(holder, { group, id, body: state.task }, undefined);
  return true;
}
