import { EngineError, type Envelope } from "@switchyard/contracts";

const SEPARATOR = ".";

/** What a server says in a stream beside the events of the run. */
export type StreamNotice = "end" | "deleted" | "draining" | "problem";

/** One event as it is sent: with an id where it is stored, so that a client can go on behind it. HTML: server-sent events. */
export function eventFrame(runId: string, envelope: Envelope): Buffer {
  const id = envelope.seq === undefined ? "" : `id: ${runId}${SEPARATOR}${envelope.seq}\n`;
  // JSON has no line ends of its own.
  return Buffer.from(`${id}data: ${JSON.stringify(envelope)}\n\n`);
}

/** What the server itself has to say, as an event of its own name. */
export function noticeFrame(notice: StreamNotice, data: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(`event: ${notice}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * The `seq` in the id of an event of this run: 0 without an id. Throws `server.bad_parameter` for what is no id of
 * this run, such as one of another run.
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
