import { EngineError, type RunLease, type RunRecord, type RunRequest, type SessionReport } from "@switchyard/contracts";
import { malformedRecord, parseRunRecord, parseRunRequest, parseSessionReport } from "../../codec/run-documents.ts";
import type { Entry } from "../broker/fenced-subject.ts";
import { bodyOf, entryOf, keepParts, readParts } from "../broker/message-parts.ts";
import { HEADERS, lastMessage, numberIn, type StoredMessage } from "../broker/stored-message.ts";
import type { NatsContext, RunPlace } from "./run-place.ts";

const DELETED = "deleted";

/** Record and lease of a run as they are kept. */
export interface RunMeta {
  readonly message: StoredMessage;
  readonly epoch: number;
  /** Token of the one who writes; nothing when nobody does. */
  readonly owner: string | undefined;
  /** Whether the run was deleted, and only its name is left. */
  readonly isDeleted: boolean;
  /** Where request and report are. */
  readonly request: string;
  readonly report: string;
}

/** What is kept of a run with its record. */
export interface MetaState {
  readonly epoch: number;
  readonly owner?: string | undefined;
  readonly request: string;
  readonly report: string;
}

/** What a message on the subject of records says. */
export function toMeta(message: StoredMessage): RunMeta {
  const owner = message.header(HEADERS.owner);
  return {
    message,
    epoch: numberIn(message, HEADERS.epoch),
    owner: owner === "" ? undefined : owner,
    isDeleted: message.header(HEADERS.kind) === DELETED,
    request: message.header(HEADERS.request),
    report: message.header(HEADERS.report),
  };
}

/** Record and lease of a run; nothing when there never was one of that name. */
export async function readMeta({ broker }: NatsContext, place: RunPlace): Promise<RunMeta | undefined> {
  const message = await lastMessage(broker, { stream: place.stream, subject: place.meta });
  return message === undefined ? undefined : toMeta(message);
}

/** Record and lease of a run. Rejects with `run.not_found`. */
export async function findMeta(context: NatsContext, place: RunPlace): Promise<RunMeta> {
  const meta = await readMeta(context, place);
  if (meta !== undefined && !meta.isDeleted) return meta;
  throw new EngineError("run.not_found", {
    runId: place.runId,
    stateDirectory: `${context.broker.address} (${context.name})`,
  });
}

/** The message that keeps a record; `body` is the sealed record, or the message that has it already. */
export async function metaEntry(
  { broker }: NatsContext,
  place: RunPlace,
  { body, state }: { body: string | StoredMessage; state: MetaState },
): Promise<Entry> {
  const { epoch, owner = "", request, report } = state;
  const headers = {
    [HEADERS.epoch]: String(epoch),
    [HEADERS.owner]: owner,
    [HEADERS.request]: request,
    [HEADERS.report]: report,
  };
  if (typeof body === "string") return await entryOf(broker, place.documentParts, { data: body, headers });
  return { data: body.data, headers: { ...headers, [HEADERS.parts]: body.header(HEADERS.parts) } };
}

/** The message that says that a run was deleted, by a writer of that epoch. */
export function deletedEntry(epoch: number): Entry {
  return { data: "", headers: { [HEADERS.epoch]: String(epoch), [HEADERS.kind]: DELETED } };
}

/** Keeps a document for a record to name; gives its name. */
export async function keepDocument({ broker }: NatsContext, place: RunPlace, text: string): Promise<string> {
  return (await keepParts(broker, place.documentParts, Buffer.from(text))).name;
}

/** The record of a run. Rejects with `run.malformed_record` or `store.newer_format`. */
export async function recordOf({ broker }: NatsContext, place: RunPlace, { message }: RunMeta): Promise<RunRecord> {
  const body = await bodyOf(broker, place.documentParts, message);
  if (body === undefined) throw malformedRecord(place.path, "parts of its record are missing");
  return await parseRunRecord(body, place);
}

/** What a run was asked to do. Rejects with `run.malformed_record` or `store.newer_format`. */
export async function requestOf({ broker }: NatsContext, place: RunPlace, { request }: RunMeta): Promise<RunRequest> {
  const body = await readParts(broker, place.documentParts, request);
  if (body === undefined) throw malformedRecord(place.path, "its request is missing");
  return await parseRunRequest(body, place);
}

/** The report of a run; nothing before its first attempt is over. Rejects like `requestOf`. */
export async function reportOf(
  { broker }: NatsContext,
  place: RunPlace,
  { report }: RunMeta,
): Promise<SessionReport | undefined> {
  if (report === "") return undefined;
  const body = await readParts(broker, place.documentParts, report);
  if (body === undefined) throw malformedRecord(place.path, "its report is missing");
  return await parseSessionReport(body, place);
}

/** The lease of a run, as far as can be told without waiting. */
export function leaseOf({ owner }: NatsContext, meta: RunMeta): RunLease {
  return { epoch: meta.epoch, isHeld: meta.owner !== undefined && owner.livenessOf(meta.owner) !== "dead" };
}

/** Removes the records that the one at this place has taken the place of. Rejects with `broker.unreachable`. */
export async function forgetRecords({ broker }: NatsContext, { stream, meta }: RunPlace, place: number): Promise<void> {
  // There is nothing before the first place, and some servers take it for "everything".
  if (place > 1) await broker.ask(() => broker.jsm.streams.purge(stream, { filter: meta, seq: place }));
}
