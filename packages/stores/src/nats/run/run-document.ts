import type { Broker } from "../broker/broker.ts";
import { bodyOf, readParts, storeParts } from "../broker/message-parts.ts";
import type { StoredMessage } from "../broker/stored-message.ts";
import type { RunLocation } from "./run-location.ts";

/**
 * Maximum size of a request or a report that is stored in the same message as the run's record, in bytes. The message is
 * written again with every change of the record, so larger documents have separate messages.
 */
const MAX_INLINE_BYTES = 4_096;

/**
 * Request or report of a run. A small document is a part of the message that stores the record. A large one is stored in
 * separate messages, to which `reference` refers.
 */
export type RunDocument =
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "separate"; readonly reference: string }
  | { readonly kind: "none" };

/** A document that does not exist, such as the report of a run that has not ended. */
export const NO_DOCUMENT: RunDocument = { kind: "none" };

/** Returns the document if it is small enough for the message of the record. `undefined` if it is not. */
export function inlineDocument(text: string): RunDocument | undefined {
  const bytes = Buffer.from(text);
  return bytes.length <= MAX_INLINE_BYTES ? { kind: "inline", bytes } : undefined;
}

/** Stores a document of a run, if it is too large for the message of the record. */
export async function storeDocument(broker: Broker, location: RunLocation, text: string): Promise<RunDocument> {
  const inline = inlineDocument(text);
  if (inline !== undefined) return inline;
  const { name: reference } = await storeParts(broker, location.documentParts, Buffer.from(text));
  return { kind: "separate", reference };
}

/** Body of the message that stores a run's record, and header values that say where request and report are stored. */
export interface JoinedDocuments {
  readonly body: Uint8Array;
  readonly request: string;
  readonly report: string;
}

/**
 * Creates the body of the message that stores a run's record: the record, followed by the run's request and report if
 * these are inline. Also returns the header values from which a reader learns where request and report are stored.
 */
export function joinDocuments(record: string, request: RunDocument, report: RunDocument): JoinedDocuments {
  const pieces: Uint8Array[] = [Buffer.from(record)];
  let end = pieces[0]?.length ?? 0;
  const place = (document: RunDocument): string => {
    if (document.kind === "none") return "";
    if (document.kind === "separate") return document.reference;
    const start = end;
    end += document.bytes.length;
    pieces.push(document.bytes);
    return `body/${start}/${end}`;
  };
  const [requestPlace, reportPlace] = [place(request), place(report)];
  return { body: Buffer.concat(pieces), request: requestPlace, report: reportPlace };
}

/** Returns the range of a document in the body of a message. `undefined` if the document is stored elsewhere. */
function rangeOf(place: string): { readonly start: number; readonly end: number } | undefined {
  const [, start, end] = /^body\/(\d{1,9})\/(\d{1,9})$/.exec(place) ?? [];
  return start === undefined || end === undefined ? undefined : { start: Number(start), end: Number(end) };
}

/** The documents of a run. Each is `undefined` if parts of it are missing. */
export interface ReadDocuments {
  readonly record: Uint8Array | undefined;
  /** The bytes of the request. */
  request(): Promise<Uint8Array | undefined>;
  /** The bytes of the report. `undefined` if the run has no report, or parts of it are missing. */
  report(): Promise<Uint8Array | undefined>;
  /** Request and report in the form in which they are stored. */
  readonly stored: { readonly request: RunDocument; readonly report: RunDocument };
}

/** Reads the documents of a run. Documents with separate messages are read when they are needed. */
export async function readDocuments(
  broker: Broker,
  location: RunLocation,
  { message, ...places }: { readonly message: StoredMessage; readonly request: string; readonly report: string },
): Promise<ReadDocuments> {
  const body = await bodyOf(broker, location.documentParts, message);
  const [request, report] = [documentAt(body, places.request), documentAt(body, places.report)];
  const ranges = [rangeOf(places.request), rangeOf(places.report)];
  const end = Math.min(...ranges.map((range) => range?.start ?? Number.POSITIVE_INFINITY));
  const read = async (document: RunDocument): Promise<Uint8Array | undefined> => {
    if (document.kind === "separate") return await readParts(broker, location.documentParts, document.reference);
    return document.kind === "inline" ? document.bytes : undefined;
  };
  return {
    record: body?.subarray(0, Math.min(end, body.length)),
    request: () => read(request),
    report: () => read(report),
    stored: { request, report },
  };
}

function documentAt(body: Uint8Array | undefined, place: string): RunDocument {
  if (place === "") return NO_DOCUMENT;
  const range = rangeOf(place);
  if (range === undefined) return { kind: "separate", reference: place };
  return body === undefined ? NO_DOCUMENT : { kind: "inline", bytes: body.subarray(range.start, range.end) };
}
