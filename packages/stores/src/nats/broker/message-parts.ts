import { randomUUID } from "node:crypto";
import type { Broker } from "./broker.ts";
import type { Entry } from "./fenced-subject.ts";
import { readMessages } from "./read-messages.ts";
import { HEADERS, lastMessage, type StoredMessage } from "./stored-message.ts";

/** Number of bytes reserved in a message for its headers. */
const HEADER_BYTES = 4_096;
/** Maximum size, in bytes, of one part of a message body that is split. The broker may allow less. */
const PART_BYTES = 512 * 1_024;

/** Stream and subject that contain the parts of message bodies which are too large for one message. */
export interface PartsLocation {
  readonly stream: string;
  /** Prefix of the subjects of parts. The parts of each body have a separate subject that starts with this prefix. */
  readonly subject: string;
}

/** A message to write. If its body is stored in parts, it also contains their position. */
export interface PartedEntry extends Entry {
  /** Sequence number of the first part. */
  readonly firstPart?: number | undefined;
}

function partBytesOf({ connection }: Broker): number {
  const limit = connection.info?.max_payload ?? PART_BYTES;
  return Math.max(1_024, Math.min(PART_BYTES, limit - HEADER_BYTES));
}

/** Reference and sequence number of a message body that was stored in parts. */
interface StoredParts {
  /** Reference to the parts, for the header of a message: `<key>/<number of parts>`. */
  readonly name: string;
  /** Sequence number of the first part. */
  readonly first: number;
}

/** Stores a message body in parts, under a new unique key. */
export async function storeParts(broker: Broker, location: PartsLocation, data: Uint8Array): Promise<StoredParts> {
  const key = randomUUID();
  const size = partBytesOf(broker);
  const subject = `${location.subject}.${key}`;
  let [count, first] = [0, 0];
  for (let start = 0; start < data.length; start += size) {
    count += 1;
    const part = data.subarray(start, start + size);
    // If a part is sent again under the same id, it is stored only once.
    const message = { data: part, messageId: `${key}.${count}` };
    const sequence = await broker.retry(() => broker.publish(subject, message));
    if (count === 1) first = sequence;
  }
  return { name: `${key}/${count}`, first };
}

/**
 * Returns the message to write for a body. A small body is part of the message; a large one is first stored in parts.
 */
export async function entryOf(broker: Broker, location: PartsLocation, entry: Entry): Promise<PartedEntry> {
  const data = typeof entry.data === "string" ? Buffer.from(entry.data) : entry.data;
  if (data.length <= partBytesOf(broker)) return { ...entry, data };
  const { name, first } = await storeParts(broker, location, data);
  return { data: new Uint8Array(), headers: { ...entry.headers, [HEADERS.parts]: name }, firstPart: first };
}

/** Resolves with a message body that was stored in parts. `undefined` if parts are missing. */
export async function readParts(
  broker: Broker,
  location: PartsLocation,
  name: string,
): Promise<Uint8Array | undefined> {
  const [, key = "", count] = /^([0-9a-f-]{36})\/(\d{1,9})$/.exec(name) ?? [];
  if (count === undefined) return undefined;
  const reading = { stream: location.stream, subject: `${location.subject}.${key}` };
  // Most bodies have one part. The broker finds this part without a consumer, which it would have to create and remove.
  if (count === "1") return (await lastMessage(broker, reading))?.data;
  const parts: Uint8Array[] = [];
  for await (const part of readMessages(broker, reading)) parts.push(part.data);
  return parts.length === Number(count) ? Buffer.concat(parts) : undefined;
}

/** Resolves with the body of a message; `undefined` if parts of it are missing. */
export async function bodyOf(
  broker: Broker,
  location: PartsLocation,
  message: Pick<StoredMessage, "data" | "header">,
): Promise<Uint8Array | undefined> {
  const name = message.header(HEADERS.parts);
  return name === "" ? message.data : await readParts(broker, location, name);
}
