import type { LastForMsgRequest, NextMsgRequest } from "@nats-io/jetstream";
import { ANSWER_MS, type Broker } from "./broker.ts";
import { readFromStream } from "./stream-requests.ts";

/** A message stored by the broker. */
export interface StoredMessage {
  readonly subject: string;
  /** Sequence number; increases with every message of the stream. */
  readonly sequence: number;
  readonly data: Uint8Array;
  /** Time at which the broker stored the message, in milliseconds since 1970. */
  readonly storedAt: number;
  /** Returns the value of a header. An empty string if the message has no such header. */
  header(name: string): string;
}

/** Names of the message headers that this package writes. */
export const HEADERS = {
  epoch: "Switchyard-Epoch",
  owner: "Switchyard-Owner",
  kind: "Switchyard-Kind",
  /** Number of the last event or checkpoint that this message, or an earlier one of the run, contains. */
  number: "Switchyard-Number",
  /** Reference to the parts of a large body: `<key>/<count>`. */
  parts: "Switchyard-Parts",
  /**
   * Locations of a run's request and report: a byte range in the message body, or a reference to separate messages. See
   * `run-document.ts`.
   */
  request: "Switchyard-Request",
  report: "Switchyard-Report",
  /** Present if no writer has ever held the run's lease. */
  isNew: "Switchyard-New",
  messageId: "Nats-Msg-Id",
  /** Size of the body in bytes, set by the broker if a message is read without its body. */
  size: "Nats-Msg-Size",
} as const;

/** Returns the value of an integer header. 0 if the message has no such header. */
export function numberIn(message: StoredMessage | undefined, name: string): number {
  const text = message?.header(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** A subject, and the stream that stores its messages. */
export interface StreamSubject {
  readonly stream: string;
  readonly subject: string;
}

/** Resolves with the last message of a subject. Reads from the leader of the stream, because replicas may be behind. */
export async function lastMessage(
  broker: Broker,
  { stream, subject }: StreamSubject,
): Promise<StoredMessage | undefined> {
  return await askFor(broker, stream, { last_by_subj: subject });
}

/** Resolves with the first message of a subject whose sequence number is at least the given one. */
export async function nextMessage(
  broker: Broker,
  { stream, subject }: StreamSubject,
  from: number,
): Promise<StoredMessage | undefined> {
  return await askFor(broker, stream, { seq: from, next_by_subj: subject });
}

async function askFor(
  broker: Broker,
  stream: string,
  query: LastForMsgRequest | Required<NextMsgRequest>,
): Promise<StoredMessage | undefined> {
  const reading = { stream, query, timeoutMs: ANSWER_MS };
  const found = await broker.ask(() => readFromStream(broker.requests, reading));
  if (found === undefined) return undefined;
  let headers: ReadonlyMap<string, string> | undefined;
  return {
    subject: found.subject,
    sequence: found.seq,
    data: Buffer.from(found.data ?? "", "base64"),
    storedAt: Date.parse(found.time),
    header: (name) => {
      headers ??= parseHeaders(Buffer.from(found.hdrs ?? "", "base64").toString());
      return headers.get(name) ?? "";
    },
  };
}

/** Parses header lines. If a name occurs several times, the first value counts, as in the NATS client. */
function parseHeaders(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split("\r\n").slice(1)) {
    const end = line.indexOf(":");
    const name = line.slice(0, Math.max(0, end));
    if (name !== "" && !headers.has(name)) headers.set(name, line.slice(end + 1).trim());
  }
  return headers;
}
