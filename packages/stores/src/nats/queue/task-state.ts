import type { QueuedTask, TaskAttempt, TaskRecord } from "@switchyard/contracts";
import { isRecord } from "../../codec/encode-value.ts";
import { malformedRecord } from "../../codec/run-documents.ts";
import type { Broker } from "../broker/broker.ts";
import { encodeSubjectWord } from "../broker/broker-subject.ts";
import { bodyOf, entryOf } from "../broker/message-parts.ts";
import { sendMessage } from "../broker/send-message.ts";
import { HEADERS, lastMessage, type StoredMessage } from "../broker/stored-message.ts";

/** Stored state of a task whose last worker has returned it to the queue. */
interface GivenBack {
  readonly kind: "given_back";
  readonly attempt: number;
  readonly worker: string;
  readonly problem: string;
}

/** Stored state of a task that a worker is working on. With each heartbeat, the state is stored again. */
interface Begun extends Omit<TaskAttempt, "group" | "id"> {
  /** Number that the broker assigned to the delivery of the task that started this attempt. */
  readonly delivery: number;
}

/**
 * Stored state of a task once its first attempt has begun. Each state replaces the previous one. The final state is a
 * `TaskRecord`.
 */
export type TaskState = { readonly group: string; readonly id: string } & (
  | GivenBack
  | Begun
  | Omit<TaskRecord, "group" | "id">
);

/** Streams of a queue. */
export interface QueueStreams {
  readonly name: string;
  /** Stream of waiting tasks. */
  readonly todoStream: string;
  /** Stream of task states. */
  readonly stateStream: string;
  /** Stream that contains the parts of task states which are too large for one message. */
  readonly partStream: string;
}

/** Returns the names of the JetStream streams that contain a queue. */
export function queueStreamsOf(name: string): QueueStreams {
  return { name, todoStream: `${name}_tasks`, stateStream: `${name}_task_states`, partStream: `${name}_task_parts` };
}

/** Returns the subject of one waiting task, or the pattern for all waiting tasks of a group. */
export function todoSubject({ name }: QueueStreams, group: string, id?: string): string {
  return `${name}.task.todo.${encodeSubjectWord(group)}.${id === undefined ? "*" : encodeSubjectWord(id)}`;
}

/**
 * Returns the NATS subject of the state of one task, or the subject pattern for the tasks of a group or for all tasks.
 */
export function stateSubject({ name }: QueueStreams, group?: string, id?: string): string {
  return `${name}.task.state.${group === undefined ? "*" : encodeSubjectWord(group)}.${id === undefined ? "*" : encodeSubjectWord(id)}`;
}

/** Returns the subject pattern for the parts of large task states, in one group or all groups. */
export function partSubjects({ name }: QueueStreams, group?: string): string {
  return group === undefined ? `${name}.task.part.>` : `${name}.task.part.${encodeSubjectWord(group)}.>`;
}

/**
 * Returns the NATS subject for the parts of a task state that is too large for one message, given the NATS subject of
 * the state.
 */
function partSubject({ name }: QueueStreams, subject: string): string {
  return `${name}.task.part.${subject.slice(`${name}.task.state.`.length)}`;
}

function isTexts(record: Record<string, unknown>, ...names: readonly string[]): boolean {
  return names.every((name) => typeof record[name] === "string");
}

function isState(value: unknown): value is TaskState {
  if (!isRecord(value) || !isTexts(value, "group", "id", "kind")) return false;
  const isAttempt = Number.isSafeInteger(value["attempt"]) && isTexts(value, "worker");
  switch (value["kind"]) {
    case "given_back":
      return isAttempt && isTexts(value, "problem");
    case "begun":
      return isAttempt && typeof value["delivery"] === "number";
    case "finished":
    case "dead":
      return isAttempt;
    default:
      return false;
  }
}

function parseJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Resolves with the task state that a message contains, or that is stored in parts. `undefined` if the state is
 * invalid. Rejects with `run.malformed_record` if parts are missing.
 */
export async function readState(
  broker: Broker,
  queue: QueueStreams,
  message: Pick<StoredMessage, "data" | "header" | "subject">,
): Promise<TaskState | undefined> {
  const { subject } = message;
  const body = await bodyOf(broker, { stream: queue.partStream, subject: partSubject(queue, subject) }, message);
  if (body === undefined) throw malformedRecord(`${queue.stateStream}/${subject}`, "parts of it are missing");
  const value = parseJson(body);
  return isState(value) ? value : undefined;
}

/** Parses the task in a message. `undefined` if the task is invalid. */
export function parseTask(data: Uint8Array): QueuedTask | undefined {
  const value = parseJson(data);
  if (!isRecord(value)) return undefined;
  const { group, id, body } = value;
  return typeof group === "string" && typeof id === "string" ? { group, id, body } : undefined;
}

/** Returns the final record in a task's state. `undefined` if the task is not finished. */
export function recordIn(state: TaskState | undefined): TaskRecord | undefined {
  return state?.kind === "finished" || state?.kind === "dead" ? state : undefined;
}

/** Stored state of a task, and the sequence number of its message. The number is 0 if there is no state. */
export interface FoundState {
  readonly state: TaskState | undefined;
  readonly sequence: number;
}

/** Resolves with the stored state of a task. */
export async function findState(
  broker: Broker,
  queue: QueueStreams,
  { group, id }: Pick<QueuedTask, "group" | "id">,
): Promise<FoundState> {
  const subject = stateSubject(queue, group, id);
  const found = await lastMessage(broker, { stream: queue.stateStream, subject });
  return { state: found && (await readState(broker, queue, found)), sequence: found?.sequence ?? 0 };
}

/** A change of a task's stored state. */
export interface StateChange {
  readonly state: TaskState;
  /** Sequence number of the state that this change replaces. 0: the task has no state yet. */
  readonly afterSequence: number;
  /** Unique id of this change. If the change is sent again under the same id, it is stored only once. */
  readonly messageId: string;
}

/**
 * Stores the state of a task, in parts if it is large. Resolves with the sequence number of the state, or with
 * `undefined` if another worker has changed the state first.
 */
export async function putState(
  broker: Broker,
  queue: QueueStreams,
  { state, afterSequence, messageId }: StateChange,
): Promise<number | undefined> {
  const subject = stateSubject(queue, state.group, state.id);
  const parts = { stream: queue.partStream, subject: partSubject(queue, subject) };
  const entry = await entryOf(broker, parts, { data: JSON.stringify(state), headers: {} });
  const sent = await sendMessage(broker, { subject, ...entry, messageId, last: afterSequence });
  if (sent.kind === "kept") return sent.sequence;
  // This state may already be stored. The broker detects duplicate message ids only for a limited time.
  const found = await lastMessage(broker, { stream: queue.stateStream, subject });
  return found?.header(HEADERS.messageId) === messageId ? found.sequence : undefined;
}
