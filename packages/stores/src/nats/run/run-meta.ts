import { EngineError, type RunLease, type RunRecord, type RunRequest, type SessionReport } from "@switchyard/contracts";
import { malformedRecord, parseRunRecord, parseRunRequest, parseSessionReport } from "../../codec/run-documents.ts";
import type { Entry } from "../broker/fenced-subject.ts";
import { bodyOf, entryOf, readParts, storeParts } from "../broker/message-parts.ts";
import { HEADERS, lastMessage, numberIn, type StoredMessage } from "../broker/stored-message.ts";
import type { NatsContext, RunLocation } from "./run-location.ts";

const DELETED = "deleted";

/** Record and lease of a run, parsed from the message that stores them. */
export interface RunMeta {
  readonly message: StoredMessage;
  readonly epoch: number;
  /** Token of the process that writes to the run. `undefined` if no process does. */
  readonly owner: string | undefined;
  /** True if the run was deleted. Only this message, with the id and the epoch of the run, remains. */
  readonly isDeleted: boolean;
  /** Reference to the message that stores the run's request. */
  readonly request: string;
  readonly report: string;
}

/**
 * Lease of a run, and references to its separately stored documents. Both are stored together with the run's record.
 */
export interface MetaState {
  readonly epoch: number;
  readonly owner?: string | undefined;
  readonly request: string;
  readonly report: string;
}

/** Parses a message that stores a run's record and lease. */
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

/**
 * Resolves with the record and lease of a run, even if the run was deleted. `undefined` if no run with this id ever
 * existed.
 */
export async function readMeta({ broker }: NatsContext, location: RunLocation): Promise<RunMeta | undefined> {
  const message = await lastMessage(broker, { stream: location.stream, subject: location.meta });
  return message === undefined ? undefined : toMeta(message);
}

/** Resolves with record and lease of a run. Rejects with `run.not_found`. */
export async function findMeta(context: NatsContext, location: RunLocation): Promise<RunMeta> {
  const meta = await readMeta(context, location);
  if (meta !== undefined && !meta.isDeleted) return meta;
  throw new EngineError("run.not_found", {
    runId: location.runId,
    stateDirectory: `${context.broker.address} (${context.name})`,
  });
}

/**
 * Returns the message that stores a run's record. `body` is either the record as text with checksum, or a stored
 * message whose body is reused.
 */
export async function metaEntry(
  { broker }: NatsContext,
  location: RunLocation,
  { body, state }: { body: string | StoredMessage; state: MetaState },
): Promise<Entry> {
  const { epoch, owner = "", request, report } = state;
  const headers = {
    [HEADERS.epoch]: String(epoch),
    [HEADERS.owner]: owner,
    [HEADERS.request]: request,
    [HEADERS.report]: report,
  };
  if (typeof body === "string") return await entryOf(broker, location.documentParts, { data: body, headers });
  return { data: body.data, headers: { ...headers, [HEADERS.parts]: body.header(HEADERS.parts) } };
}

/** Returns the message with which a writer of the given epoch marks a run as deleted. */
export function deletedEntry(epoch: number): Entry {
  return { data: "", headers: { [HEADERS.epoch]: String(epoch), [HEADERS.kind]: DELETED } };
}

/**
 * Stores a document of a run, such as its report. Resolves with a reference, which must be stored in the run's record.
 */
export async function storeDocument({ broker }: NatsContext, location: RunLocation, text: string): Promise<string> {
  return (await storeParts(broker, location.documentParts, Buffer.from(text))).name;
}

/** Resolves with the record of a run. Rejects with `run.malformed_record` or `store.newer_format`. */
export async function recordOf(
  { broker }: NatsContext,
  location: RunLocation,
  { message }: RunMeta,
): Promise<RunRecord> {
  const body = await bodyOf(broker, location.documentParts, message);
  if (body === undefined) throw malformedRecord(location.path, "parts of its record are missing");
  return await parseRunRecord(body, location);
}

/** Resolves with the request of a run. Rejects with `run.malformed_record` or `store.newer_format`. */
export async function requestOf(
  { broker }: NatsContext,
  location: RunLocation,
  { request }: RunMeta,
): Promise<RunRequest> {
  const body = await readParts(broker, location.documentParts, request);
  if (body === undefined) throw malformedRecord(location.path, "its request is missing");
  return await parseRunRequest(body, location);
}

/** Resolves with the report of a run. `undefined` if its first attempt has not ended yet. Rejects like `requestOf`. */
export async function reportOf(
  { broker }: NatsContext,
  location: RunLocation,
  { report }: RunMeta,
): Promise<SessionReport | undefined> {
  if (report === "") return undefined;
  const body = await readParts(broker, location.documentParts, report);
  if (body === undefined) throw malformedRecord(location.path, "its report is missing");
  return await parseSessionReport(body, location);
}

/** Returns the state of a run's lease as far as it is known without waiting for heartbeats. */
export function leaseOf({ owner }: NatsContext, meta: RunMeta): RunLease {
  return { epoch: meta.epoch, isHeld: meta.owner !== undefined && owner.livenessOf(meta.owner) !== "dead" };
}
