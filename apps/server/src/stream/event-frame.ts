import { EngineError, type Envelope } from "@switchyard/contracts";

const SEPARATOR = ".";

/** Kind of notice that the server sends in an event stream, besides events of the run. */
export type StreamNotice = "end" | "deleted" | "draining" | "problem";

/**
 * Serializes an event as a server-sent event. A stored event has an id, so that a client can reconnect and continue
 * after it. See HTML: server-sent events.
 */
export function eventFrame(runId: string, envelope: Envelope): Buffer {
  const id = envelope.seq === undefined ? "" : `id: ${runId}${SEPARATOR}${envelope.seq}\n`;
  // The JSON is a single line, so one `data:` field is sufficient.
  return Buffer.from(`${id}data: ${JSON.stringify(envelope)}\n\n`);
}

/** Serializes a notice of the server as a named server-sent event. */
export function noticeFrame(notice: StreamNotice, data: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(`event: ${notice}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * Parses an event id of this run and returns the sequence number; 0 without an id. Throws `server.bad_parameter` for an
 * invalid id, and for an id of another run.
 */
export function seqOfEventId(runId: string, id: string | undefined): number {
  if (id === undefined || id === "") return 0;
  const prefix = `${runId}${SEPARATOR}`;
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : "";
  if (/^(?:0|[1-9]\d{0,14})$/u.test(digits)) return Number(digits);
  throw new EngineError("server.bad_parameter", {
    name: "Last-Event-ID",
    problem: "it is not the id of an event of this run",
  });
}
