import { EngineError, type Envelope } from "@switchyard/contracts";

const SEPARATOR = ".";

/** Kind of notice that the server sends in an event stream, besides events of the run. */
export type StreamNotice = "end" | "deleted" | "draining" | "problem";

/**
 * Returns the server-sent event for an envelope. A stored event has an id, so that a client can reconnect and continue
 * after it. HTML: server-sent events.
 */
export function eventFrame(runId: string, envelope: Envelope): Buffer {
  const id = envelope.seq === undefined ? "" : `id: ${runId}${SEPARATOR}${envelope.seq}\n`;
  // JSON on one line, so a single `data:` field is sufficient.
  return Buffer.from(`${id}data: ${JSON.stringify(envelope)}\n\n`);
}

/** Returns the frame of a server notice, as a named event. */
export function noticeFrame(notice: StreamNotice, data: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(`event: ${notice}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * Returns the sequence number in an event id of this run; 0 without an id. Throws `server.bad_parameter` for an invalid
 * id, and for an id of another run.
 */
export function seqOfEventId(runId: string, id: string | undefined): number {
  if (id === undefined || id === "") return 0;
  const prefix = `${runId}${SEPARATOR}`;
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : "";
  if (/^(?:0|[1-9]\d{0,14})$/u.test(digits)) return Number(digits);
  throw new EngineError("server.bad_parameter", {
    name: "Last-Event-ID",
    problem: "it is no id of an event of this run",
  });
}
