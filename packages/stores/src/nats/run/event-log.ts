import type { EngineError, Envelope, EventText } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import { eventLine, parseEventLine, problemOfEvent } from "../../codec/event-line.ts";
import { malformedRecord } from "../../codec/run-documents.ts";
import type { Broker } from "../broker/broker.ts";
import type { Entry } from "../broker/fenced-subject.ts";
import { bodyOf, entryOf } from "../broker/message-parts.ts";
import { readMessages } from "../broker/read-messages.ts";
import { HEADERS, lastMessage, nextMessage, numberIn, type StreamSubject } from "../broker/stored-message.ts";
import type { FencedLog, HeldLease } from "./lease-registry.ts";
import type { RunLocation } from "./run-location.ts";

const LINE_FEED = 0x0a;

/** The events of one run, for its writer. */
export interface EventLog {
  /** Number of the last stored event. */
  readonly lastSeq: number;
  /** Stores events; the broker has them when it resolves. */
  append(events: readonly EventText[]): Promise<void>;
  /** Resolves when all pending events are stored or rejected. */
  settle(): Promise<void>;
}

/** Creates the log of a run whose lease is held. */
export function createEventLog(broker: Broker, lease: HeldLease, { number, subject }: FencedLog): EventLog {
  const { place, epoch } = lease;
  const inTurn = createSerial();
  let lastSeq = number;
  // Events without a response; if they are appended again, they are stored once.
  let unanswered: { entry: Entry; events: readonly EventText[] } | undefined;

  /** Returns the events that remain to be stored, once the outcome of the previous ones is known. */
  async function withoutKept(events: readonly EventText[]): Promise<readonly EventText[]> {
    const settled = await subject.settle();
    const before = settled === undefined || settled !== unanswered?.entry ? [] : unanswered.events;
    unanswered = undefined;
    lastSeq = before.at(-1)?.seq ?? lastSeq;
    const isKept = (event: EventText): boolean =>
      before.some(({ seq, text }) => seq === event.seq && text === event.text);
    const isRepeated = before.every((event, index) => {
      const again = events[index];
      return again !== undefined && again.seq === event.seq && again.text === event.text;
    });
    return isRepeated ? events.filter((event) => !isKept(event)) : events;
  }

  async function append(asked: readonly EventText[]): Promise<void> {
    const events = await withoutKept(asked);
    let last = lastSeq;
    for (const event of events) {
      const problem = problemOfEvent(event, last);
      if (problem !== undefined) throw malformedRecord(place.path, problem);
      last = event.seq;
    }
    if (events.length === 0) return await lease.confirm();
    const headers = { [HEADERS.epoch]: String(epoch), [HEADERS.number]: String(last) };
    const entry = await entryOf(broker, place.eventParts, { data: events.map(eventLine).join(""), headers });
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

function* linesOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    yield bytes.subarray(start, end === -1 ? bytes.length : end);
    start = end === -1 ? bytes.length : end + 1;
  }
}

/** Parses lines of events in order and remembers the first problem. */
class EventReader {
  readonly #place: RunLocation;
  readonly #afterSeq: number;
  #lastSeq: number;
  damage: EngineError | undefined;

  constructor(place: RunLocation, afterSeq: number) {
    this.#place = place;
    this.#afterSeq = afterSeq;
    this.#lastSeq = afterSeq;
  }

  *read(lines: Uint8Array): Generator<Envelope, void, undefined> {
    for (const line of linesOf(lines)) {
      const parsed = parseEventLine(line, this.#place.runId);
      if (parsed.kind === "damaged") {
        this.note(`the event behind event ${this.#lastSeq}: ${parsed.problem}`);
        continue;
      }
      // A batch may begin before the requested events.
      if (parsed.seq <= this.#afterSeq) continue;
      if (parsed.seq !== this.#lastSeq + 1) this.note(`event ${parsed.seq} does not follow event ${this.#lastSeq}`);
      this.#lastSeq = parsed.seq;
      if (parsed.kind === "event") yield parsed.envelope;
    }
  }

  /** Checks at the end that the log contains all announced events. */
  finish(number: number): void {
    if (number > this.#lastSeq) this.note(`the events ${this.#lastSeq + 1} to ${number} are missing`);
  }

  note(problem: string): void {
    this.damage ??= malformedRecord(this.#place.path, problem);
  }
}

/** Number of messages up to which reading all of them is as fast as searching. */
const FEW_MESSAGES = 256;

/**
 * Resolves with the sequence number of the first event after a number; `undefined` if there is none. It uses binary
 * search, because followers of a run repeatedly request its last events.
 */
async function sequenceAfter(broker: Broker, subject: StreamSubject, afterSeq: number): Promise<number | undefined> {
  const last = await lastMessage(broker, subject);
  if (last === undefined || numberIn(last, HEADERS.number) <= afterSeq) return undefined;
  if (afterSeq <= FEW_MESSAGES) return 1;
  let [low, high] = [1, last.sequence];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await nextMessage(broker, subject, middle);
    // The message was removed meanwhile; reading reports that.
    if (found === undefined) return low;
    if (numberIn(found, HEADERS.number) > afterSeq) high = middle;
    else low = found.sequence + 1;
  }
  return low;
}

/**
 * Streams the stored events of a run. Damaged events are skipped; after all others, the first is thrown as
 * `run.malformed_record`.
 */
export async function* storedEvents(
  broker: Broker,
  place: RunLocation,
  afterSeq: number,
): AsyncGenerator<Envelope, void, undefined> {
  const reader = new EventReader(place, afterSeq);
  const subject = { stream: place.stream, subject: place.events };
  const from = afterSeq === 0 ? 1 : await sequenceAfter(broker, subject, afterSeq);
  if (from === undefined) return;
  let number = 0;
  for await (const message of readMessages(broker, { ...subject, from })) {
    number = numberIn(message, HEADERS.number);
    if (number <= afterSeq) continue;
    const body = await bodyOf(broker, place.eventParts, message);
    if (body === undefined) reader.note(`parts of the events up to ${number} are missing`);
    else yield* reader.read(body);
  }
  reader.finish(number);
  if (reader.damage !== undefined) throw reader.damage;
}
