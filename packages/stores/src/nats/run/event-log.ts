import type { Envelope, EventText, FollowedEvents, FollowOptions } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import { eventLine, problemOfEvent } from "../../codec/event-line.ts";
import { EventReader } from "../../codec/event-reader.ts";
import { malformedRecord } from "../../codec/run-documents.ts";
import type { Broker } from "../broker/broker.ts";
import type { Entry } from "../broker/fenced-subject.ts";
import { followMessages } from "../broker/follow-messages.ts";
import { bodyOf, entryOf } from "../broker/message-parts.ts";
import { readMessages } from "../broker/read-messages.ts";
import { HEADERS, lastMessage, nextMessage, numberIn, type StreamSubject } from "../broker/stored-message.ts";
import type { FencedLog, HeldLease } from "./lease-registry.ts";
import type { RunLocation } from "./run-location.ts";

/** Writes the events of one run. */
export interface EventLog {
  /** Number of the last stored event. */
  readonly lastSeq: number;
  /** Stores events. Resolves when the broker has stored them. */
  append(events: readonly EventText[]): Promise<void>;
  /** Resolves when all pending events are stored or rejected. */
  settle(): Promise<void>;
}

/** Creates the object that writes the events of a run. This process must hold the run's lease. */
export function createEventLog(broker: Broker, lease: HeldLease, { number, subject }: FencedLog): EventLog {
  const { location, epoch } = lease;
  const inTurn = createSerial();
  let lastSeq = number;
  // Events that were sent, but to which the broker has not responded. If the caller appends them again, they are stored
  // only once.
  let unanswered: { entry: Entry; events: readonly EventText[] } | undefined;

  /**
   * If the response to the last write was lost, waits for its outcome. Returns those events that are not stored yet.
   */
  async function withoutStored(events: readonly EventText[]): Promise<readonly EventText[]> {
    const settled = await subject.settle();
    const before = settled === undefined || settled !== unanswered?.entry ? [] : unanswered.events;
    unanswered = undefined;
    lastSeq = before.at(-1)?.seq ?? lastSeq;
    const isStored = (event: EventText): boolean =>
      before.some(({ seq, text }) => seq === event.seq && text === event.text);
    const isRepeated = before.every((event, index) => {
      const repeated = events[index];
      return repeated !== undefined && repeated.seq === event.seq && repeated.text === event.text;
    });
    return isRepeated ? events.filter((event) => !isStored(event)) : events;
  }

  async function append(requested: readonly EventText[]): Promise<void> {
    const events = await withoutStored(requested);
    let last = lastSeq;
    for (const event of events) {
      const problem = problemOfEvent(event, last);
      if (problem !== undefined) throw malformedRecord(location.path, problem);
      last = event.seq;
    }
    if (events.length === 0) return await lease.confirm();
    const headers = { [HEADERS.epoch]: String(epoch), [HEADERS.number]: String(last) };
    const entry = await entryOf(broker, location.eventParts, { data: events.map(eventLine).join(""), headers });
    unanswered = { entry, events };
    await subject.append(entry);
    unanswered = undefined;
    lastSeq = last;
  }
  return {
    get lastSeq() {
      return lastSeq;
    },
    append: (events) => inTurn(() => lease.guard(() => append(events))),
    settle: () => inTurn(async () => undefined),
  };
}

/** Number of messages below which reading all of them is not slower than a binary search. */
const FEW_MESSAGES = 256;

/**
 * Resolves with the sequence number of the message that contains the first event after a given event number.
 * `undefined` if there is none. Uses binary search, because clients that follow a run repeatedly request its last
 * events.
 */
async function sequenceAfter(broker: Broker, subject: StreamSubject, afterSeq: number): Promise<number | undefined> {
  const last = await lastMessage(broker, subject);
  if (last === undefined || numberIn(last, HEADERS.number) <= afterSeq) return undefined;
  if (afterSeq <= FEW_MESSAGES) return 1;
  let [low, high] = [1, last.sequence];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await nextMessage(broker, subject, middle);
    // The message was removed in the meantime. Reading the events will report that events are missing.
    if (found === undefined) return low;
    if (numberIn(found, HEADERS.number) > afterSeq) high = middle;
    else low = found.sequence + 1;
  }
  return low;
}

/**
 * Yields the stored events of a run. Damaged events are skipped; after all others, `run.malformed_record` is thrown for
 * the first of them.
 */
export async function* storedEvents(
  broker: Broker,
  location: RunLocation,
  afterSeq: number,
): AsyncGenerator<Envelope, void, undefined> {
  const reader = new EventReader({ ...location, afterSeq });
  const subject = { stream: location.stream, subject: location.events };
  const from = afterSeq === 0 ? 1 : await sequenceAfter(broker, subject, afterSeq);
  if (from === undefined) return;
  let number = 0;
  for await (const message of readMessages(broker, { ...subject, from })) {
    number = numberIn(message, HEADERS.number);
    if (number <= afterSeq) continue;
    const body = await bodyOf(broker, location.eventParts, message);
    if (body === undefined) reader.note(`parts of the events up to ${number} are missing`);
    else yield* reader.read(body);
  }
  reader.finish(number);
  if (reader.damage !== undefined) throw reader.damage;
}

/**
 * Resolves with a stream of the events that are stored after a given event, by default after the newest, until the
 * signal aborts. Throws `run.malformed_record` if events are damaged.
 */
export async function followStoredEvents(
  broker: Broker,
  location: RunLocation,
  { afterSeq, signal }: FollowOptions,
): Promise<FollowedEvents> {
  const subject = { stream: location.stream, subject: location.events };
  const last = await lastMessage(broker, subject);
  const begin = afterSeq ?? numberIn(last, HEADERS.number);
  const from = begin === 0 ? 1 : ((await sequenceAfter(broker, subject, begin)) ?? (last?.sequence ?? 0) + 1);
  return { afterSeq: begin, events: readOn(broker, location, { from, afterSeq: begin, signal }) };
}

async function* readOn(
  broker: Broker,
  location: RunLocation,
  { from, afterSeq, signal }: { from: number; afterSeq: number; signal: AbortSignal },
): AsyncGenerator<Envelope, void, undefined> {
  const reader = new EventReader({ ...location, afterSeq });
  for await (const message of followMessages(broker, { ...location, subject: location.events, from, signal })) {
    const number = numberIn(message, HEADERS.number);
    if (number <= afterSeq) continue;
    const body = await bodyOf(broker, location.eventParts, message);
    if (body === undefined) reader.note(`parts of the events up to ${number} are missing`);
    else yield* reader.read(body);
    if (reader.damage !== undefined) throw reader.damage;
  }
}
