import { randomUUID } from "node:crypto";
import type { QueuedTask, TaskRecord } from "@switchyard/contracts";
import { readMessages } from "../broker/read-messages.ts";
import { sendMessage } from "../broker/send-message.ts";
import type { TaskHolder } from "./hold-task.ts";
import { findState, putState, readState, recordIn, stateSubject, todoSubject } from "./task-state.ts";

/** Wait, in milliseconds, before the next attempt to add a task to a full queue. */
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
  // If the task is already waiting, the broker rejects the duplicate. A task with a record is finished and is skipped.
  const todo = { subject: todoSubject(queue, group, id), data: JSON.stringify(task), last: 0 };
  for (;;) {
    const sent = await sendMessage(broker, { ...todo, messageId: randomUUID() }, signal);
    if (sent.kind === "kept" && state === undefined) return "added";
    if (sent.kind !== "full") return "known";
    await broker.timer.sleep(FULL_MS, { signal });
  }
}

/** Yields the stored records of the tasks of one group, or of all groups. */
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

/** Adds a task again after all its attempts have failed (a dead task). Resolves with false if the task is not dead. */
export async function requeueTask(
  holder: TaskHolder,
  { group, id }: Pick<QueuedTask, "group" | "id">,
): Promise<boolean> {
  const { broker, queue, worker } = holder;
  const { state, sequence: afterSequence } = await findState(broker, queue, { group, id });
  if (state?.kind !== "dead") return false;
  const requeued = { group, id, kind: "given_back", attempt: 0, worker, problem: state.problem ?? "" } as const;
  if (
    (await putState(broker, queue, { state: requeued, afterSequence: afterSequence, messageId: randomUUID() })) ===
    undefined
  )
    return false;
  // The record of the dead task is already replaced. If this process dies now, the task can be added again.
  await addTask(holder, { group, id, body: state.task }, undefined);
  return true;
}
