import type { QueuedTask, TaskAttempt, TaskRecord } from "@switchyard/contracts";
import { isRecord } from "../../codec/encode-value.ts";
import { malformedRecord } from "../../codec/run-documents.ts";
import type { Broker } from "../broker/broker.ts";
import { bodyOf, entryOf } from "../broker/message-parts.ts";
import { sendMessage } from "../broker/send-message.ts";
import { HEADERS, lastMessage, type StoredMessage } from "../broker/stored-message.ts";
import { encodeWord } from "../broker/subject-words.ts";

/** A task whose last attempt was given back. */
interface GivenBack {
  readonly kind: "given_back";
  readonly attempt: number;
  readonly worker: string;
  readonly problem: string;
}

/** A task that a worker is at; kept anew with each sign of life. */
interface Begun extends Omit<TaskAttempt, "group" | "id"> {
  /** How often the broker says that it has delivered the task. */
  readonly delivery: number;
}

/** How a task stands once a worker has begun it: each message takes the place of the one before, and a record stays. */
export type TaskState = { readonly group: string; readonly id: string } & (
  | GivenBack
  | Begun
  | Omit<TaskRecord, "group" | "id">
);

/** Where the tasks of a queue are kept. */
export interface QueuePlace {
  readonly name: string;
  /** Stream of what is to be done. */
  readonly todoStream: string;
  /** Stream of how the tasks stand. */
  readonly stateStream: string;
  /** Stream with the parts of what is larger than a message there. */
  readonly partStream: string;
}

/** The names of a queue's streams. */
export function queuePlaceOf(name: string): QueuePlace {
  return { name, todoStream: `${name}_tasks`, stateStream: `${name}_task_states`, partStream: `${name}_task_parts` };
}

/** Subject of what is to be done, of one task or of a group. */
export function todoSubject({ name }: QueuePlace, group: string, id?: string): string {
  return `${name}.task.todo.${encodeWord(group)}.${id === undefined ? "*" : encodeWord(id)}`;
}

/** Subject of how tasks stand, of one task, of a group or of all. */
export function stateSubject({ name }: QueuePlace, group?: string, id?: string): string {
  return `${name}.task.state.${group === undefined ? "*" : encodeWord(group)}.${id === undefined ? "*" : encodeWord(id)}`;
}

/** Subjects of the parts of a group, or of all. */
export function partSubjects({ name }: QueuePlace, group?: string): string {
  return group === undefined ? `${name}.task.part.>` : `${name}.task.part.${encodeWord(group)}.>`;
}

/** Subject of the parts of a state, by that of the state. */
function partSubject({ name }: QueuePlace, subject: string): string {
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
 * How a task stands, from its message and its parts; nothing when that is none. Rejects with `run.malformed_record` when
 * parts are missing.
 */
export async function readState(
  broker: Broker,
  queue: QueuePlace,
  message: Pick<StoredMessage, "data" | "header" | "subject">,
): Promise<TaskState | undefined> {
  const { subject } = message;
  const body = await bodyOf(broker, { stream: queue.partStream, subject: partSubject(queue, subject) }, message);
  if (body === undefined) throw malformedRecord(`${queue.stateStream}/${subject}`, "parts of it are missing");
  const value = parseJson(body);
  return isState(value) ? value : undefined;
}

/** What is to be done, from its message; nothing when that is none. */
export function parseTask(data: Uint8Array): QueuedTask | undefined {
  const value = parseJson(data);
  if (!isRecord(value)) return undefined;
  const { group, id, body } = value;
  return typeof group === "string" && typeof id === "string" ? { group, id, body } : undefined;
}

/** The record in a state; nothing when there is none yet. */
export function recordIn(state: TaskState | undefined): TaskRecord | undefined {
  return state?.kind === "finished" || state?.kind === "dead" ? state : undefined;
}

/** How a task stands, and the place of the message that says so; 0 when there is none. */
export interface FoundState {
  readonly state: TaskState | undefined;
  readonly place: number;
}

/** Finds out how a task stands. */
export async function findState(
  broker: Broker,
  queue: QueuePlace,
  { group, id }: Pick<QueuedTask, "group" | "id">,
): Promise<FoundState> {
  const subject = stateSubject(queue, group, id);
  const found = await lastMessage(broker, { stream: queue.stateStream, subject });
  return { state: found && (await readState(broker, queue, found)), place: found?.sequence ?? 0 };
}

/** A change of how a task stands. */
export interface StateChange {
  readonly state: TaskState;
  /** Place of the state that it takes the place of; 0 when there is none. */
  readonly behind: number;
  /** Of this change alone. */
  readonly messageId: string;
}

/** Keeps how a task stands, in parts where it is large; gives the place, or nothing when somebody else was faster. */
export async function putState(
  broker: Broker,
  queue: QueuePlace,
  { state, behind, messageId }: StateChange,
): Promise<number | undefined> {
  const subject = stateSubject(queue, state.group, state.id);
  const parts = { stream: queue.partStream, subject: partSubject(queue, subject) };
  const entry = await entryOf(broker, parts, { data: JSON.stringify(state), headers: {} });
  const sent = await sendMessage(broker, { subject, ...entry, messageId, last: behind });
  if (sent.kind === "kept") return sent.sequence;
  // The answer may have got lost longer ago than the broker remembers ids.
  const found = await lastMessage(broker, { stream: queue.stateStream, subject });
  return found?.header(HEADERS.messageId) === messageId ? found.sequence : undefined;
}
