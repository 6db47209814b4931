import { EngineError, type RunLease, type RunRecord, type RunRequest, type SessionReport } from "@switchyard/contracts";
import { malformedRecord, parseRunRecord, parseRunRequest, parseSessionReport } from "../../codec/run-documents.ts";
import type { Entry } from "../broker/fenced-subject.ts";
import { entryOf } from "../broker/message-parts.ts";
import { HEADERS, lastMessage, numberIn, type StoredMessage } from "../broker/stored-message.ts";
import { joinDocuments, type ReadDocuments, type RunDocument, readDocuments } from "./run-document.ts";
import type { NatsContext, RunLocation } from "./run-location.ts";

const DELETED = "deleted";

/** Record and lease of a run, parsed from the message that stores them. */
export interface RunMeta {
  readonly message: StoredMessage;
  readonly epoch: number;
  /** Token that identifies the process which writes to the run. `undefined` if no process writes to it. */
  readonly owner: string | undefined;
  /** True if the run was deleted. Only this message, with the id and the epoch of the run, remains. */
  readonly isDeleted: boolean;
  /** True if no writer has ever held the run's lease, so that the run has neither events nor checkpoints. */
  readonly isNew: boolean;
  /**
   * Locations of the run's request and report: a byte range in the message body, or a reference to separate messages.
   * See `run-document.ts`. `report` is empty until the first attempt has ended.
   */
  readonly request: string;
  readonly report: string;
}

/** Lease of a run. */
export interface LeaseState {
  readonly epoch: number;
  /** Token that identifies the process which writes to the run. Default: none, because no process writes to it. */
  readonly owner?: string | undefined;
  /** True if no writer has ever held the lease. Default: false. */
  readonly isNew?: boolean | undefined;
}

/** Lease of a run, and its request and report. All are stored together with the run's record. */
export interface MetaState extends LeaseState {
  readonly request: RunDocument;
  readonly report: RunDocument;
}

/** Parses a message that stores a run's record and lease. */
export function toMeta(message: StoredMessage): RunMeta {
  const owner = message.header(HEADERS.owner);
  return {
    message,
    epoch: numberIn(message, HEADERS.epoch),
    owner: owner === "" ? undefined : owner,
    isDeleted: message.header(HEADERS.kind) === DELETED,
    isNew: message.header(HEADERS.isNew) !== "",
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

/** Returns the message that stores a run's record, and the documents that are stored with it. */
export async function recordEntry(
  { broker }: NatsContext,
  location: RunLocation,
  { record, request, report, ...state }: MetaState & { readonly record: string },
): Promise<Entry> {
  const joined = joinDocuments(record, request, report);
  const headers = { ...leaseHeaders(state), [HEADERS.request]: joined.request, [HEADERS.report]: joined.report };
  return await entryOf(broker, location.documentParts, { data: joined.body, headers });
}

/** Returns the message that changes the lease of a run and nothing else. */
export function leaseEntry({ message, request, report }: RunMeta, state: LeaseState): Entry {
  const parts = message.header(HEADERS.parts);
  const documents = { [HEADERS.request]: request, [HEADERS.report]: report, [HEADERS.parts]: parts };
  return { data: message.data, headers: { ...leaseHeaders(state), ...documents } };
}

function leaseHeaders({ epoch, owner = "", isNew = false }: LeaseState): Entry["headers"] {
  return { [HEADERS.epoch]: String(epoch), [HEADERS.owner]: owner, [HEADERS.isNew]: isNew ? "1" : "" };
}

/** Returns the message with which a writer of the given epoch marks a run as deleted. */
export function deletedEntry(epoch: number): Entry {
  return { data: "", headers: { [HEADERS.epoch]: String(epoch), [HEADERS.kind]: DELETED } };
}

/** The parsed documents of a run. */
export interface RunDocuments {
  readonly record: RunRecord;
  readonly request: RunRequest;
  /** Request and report in the form in which they are stored. */
  readonly stored: ReadDocuments["stored"];
}

/** Resolves with the record of a run. Rejects with `run.malformed_record` or `store.newer_format`. */
export async function recordOf({ broker }: NatsContext, location: RunLocation, meta: RunMeta): Promise<RunRecord> {
  return await parseRecord(await readDocuments(broker, location, meta), location);
}

/** Resolves with record and request of a run. Rejects with `run.malformed_record` or `store.newer_format`. */
export async function documentsOf(
  { broker }: NatsContext,
  location: RunLocation,
  meta: RunMeta,
): Promise<RunDocuments> {
  const read = await readDocuments(broker, location, meta);
  const [record, request] = [await parseRecord(read, location), await parseRequest(read, location)];
  return { record, request, stored: read.stored };
}

/** Parses the record of a run. Rejects like `recordOf`. */
export async function parseRecord({ record }: ReadDocuments, location: RunLocation): Promise<RunRecord> {
  if (record === undefined) throw malformedRecord(location.path, "parts of its record are missing");
  return await parseRunRecord(record, location);
}

/** Parses the request of a run. Rejects like `recordOf`. */
export async function parseRequest(read: ReadDocuments, location: RunLocation): Promise<RunRequest> {
  const request = await read.request();
  if (request === undefined) throw malformedRecord(location.path, "its request is missing");
  return await parseRunRequest(request, location);
}

/** Parses the report of a run. `undefined` if its first attempt has not ended yet. Rejects like `recordOf`. */
export async function parseReport(read: ReadDocuments, location: RunLocation): Promise<SessionReport | undefined> {
  if (read.stored.report.kind === "none") return undefined;
  const report = await read.report();
  if (report === undefined) throw malformedRecord(location.path, "its report is missing");
  return await parseSessionReport(report, location);
}

/** Returns the state of a run's lease as far as it is known without waiting for heartbeats. */
export function leaseOf({ owner }: NatsContext, meta: RunMeta): RunLease {
  return { epoch: meta.epoch, isHeld: meta.owner !== undefined && owner.livenessOf(meta.owner) !== "dead" };
}
