import { randomUUID } from "node:crypto";
import type { QueuedTask, TaskRecord } from "@switchyard/contracts";
import { readMessages } from "../broker/read-messages.ts";
import { sendMessage } from "../broker/send-message.ts";
import type { TaskHolder } from "./hold-task.ts";
import { findState, putState, readState, recordIn, stateSubject, todoSubject } from "./task-state.ts";

/** Milliseconds after which a full queue is tried again. */
const FULL_MS = 50;

/** Adds a task unless it was added before. */
export async function addTask(
  { broker, queue }: TaskHolder,
  task: QueuedTask,
  signal: AbortSignal | undefined,
): Promise<"added" | "known"> {
  const { group, id } = task;
  const { state } = await findState(broker, queue, task);
  if (recordIn(state) !== undefined) return "known";
  // When it waits already, the broker refuses a second one. One with a record by now is not taken again.
  const todo = { subject: todoSubject(queue, group, id), data: JSON.stringify(task), last: 0 };
  for (;;) {
    const sent = await sendMessage(broker, { ...todo, messageId: randomUUID() }, signal);
    if (sent.kind === "kept" && state === undefined) return "added";
    if (sent.kind !== "full") return "known";
    await broker.timer.sleep(FULL_MS, { signal });
  }
}

/** The records of a group, or of all groups, that are there by now. */
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

/** Has a dead task done after all; says whether it was dead. */
export async function requeueTask(
  holder: TaskHolder,
  { group, id }: Pick<QueuedTask, "group" | "id">,
): Promise<boolean> {
  const { broker, queue, worker } = holder;
  const { state, place: behind } = await findState(broker, queue, { group, id });
  if (state?.kind !== "dead") return false;
  const again = { group, id, kind: "given_back", attempt: 0, worker, problem: state.problem ?? "" } as const;
  if ((await putState(broker, queue, { state: again, behind, messageId: randomUUID() })) === undefined) return false;
  // A process that dies here leaves a task that can be added again.
  await addTask(holder, { group, id, body: state.task }, undefined);
  return true;
}
