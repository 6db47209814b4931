import type { LastForMsgRequest, NextMsgRequest } from "@nats-io/jetstream";
import type { Broker } from "./broker.ts";

/** A message as the broker keeps it. */
export interface StoredMessage {
  readonly subject: string;
  /** Its place in the stream; rises with every message of the stream. */
  readonly sequence: number;
  readonly data: Uint8Array;
  /** When it was kept, milliseconds since 1970. */
  readonly keptAt: number;
  /** A header; empty when it has none of that name. */
  header(name: string): string;
}

/** Names of the headers that are written here. */
export const HEADERS = {
  epoch: "Switchyard-Epoch",
  owner: "Switchyard-Owner",
  kind: "Switchyard-Kind",
  /** Number of the last event or checkpoint up to here. */
  number: "Switchyard-Number",
  /** Where the parts of a large body are: `<key>/<count>`. */
  parts: "Switchyard-Parts",
  request: "Switchyard-Request",
  report: "Switchyard-Report",
  messageId: "Nats-Msg-Id",
} as const;

/** A whole number in a header; 0 when there is none. */
export function numberIn(message: StoredMessage | undefined, name: string): number {
  const text = message?.header(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** A subject of a stream. */
export interface SubjectPlace {
  readonly stream: string;
  readonly subject: string;
}

/** The last message of a subject, as the stream's leader has it. */
export async function lastMessage(
  broker: Broker,
  { stream, subject }: SubjectPlace,
): Promise<StoredMessage | undefined> {
  return await askFor(broker, stream, { last_by_subj: subject });
}

/** The first message of a subject from a place of the stream on. */
export async function nextMessage(
  broker: Broker,
  { stream, subject }: SubjectPlace,
  from: number,
): Promise<StoredMessage | undefined> {
  return await askFor(broker, stream, { seq: from, next_by_subj: subject });
}

async function askFor(
  broker: Broker,
  stream: string,
  query: LastForMsgRequest | Required<NextMsgRequest>,
): Promise<StoredMessage | undefined> {
  const found = await broker.ask(() => broker.jsm.streams.getMessage(stream, query));
  if (found === null) return undefined;
  return {
    subject: found.subject,
    sequence: found.seq,
    data: found.data,
    keptAt: found.time.getTime(),
    header: (name) => found.header.get(name),
  };
}
