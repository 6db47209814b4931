import {
  EngineError,
  type Envelope,
  EVENT_TABLE,
  type EventText,
  type EventType,
  type Publisher,
  type RunStore,
  type RunWriter,
  toEngineError,
} from "@switchyard/contracts";
import { createEventTail, type EventTail, type TailWriter } from "./event-tail.ts";
import { isEnvelope } from "./is-envelope.ts";

/**
 * Orders, stores and delivers the events of one run. Contract: stored events get a `seq` without gaps and are in the
 * log before any reader receives them (durability promise D8); publishers never wait for readers (durability promise
 * D13).
 */
export interface EventJournal {
  /**
   * Publishes an event. For a stored event, resolves when the event is in the log. Rejects with `run.store_failed` or
   * `store.stale_epoch`, with `run.finished` after `end`, and with `InvalidEvent`.
   */
  publish(envelope: Envelope): Promise<void>;
  /** Starts a tail, which receives all events that are published from then on. */
  tail(): EventTail;
  /** Reads the stored events after the given sequence number (`seq`). */
  stored(afterSeq: number): AsyncIterable<Envelope>;
  /** Sequence number (`seq`) of the last stored event. */
  readonly lastSeq: number;
  /** Error of the first failure to store an event. `undefined` if no failure occurred. */
  readonly failure: EngineError | undefined;
  /** Allows events to be stored again after a storage failure. */
  retry(): void;
  /** Ends the streams of all readers, and rejects further events. Resolves when all pending events are stored. */
  end(): Promise<void>;
}

/** Maximum size of one event, in characters. See durability promise D13. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;
/**
 * Approximate size of the event that carries a streamed piece of text, in characters. Does not include the text itself.
 */
const INCREMENT_CHARACTERS = 500;

/** Error for an event that cannot be stored because of its content. The event log itself still works. */
export class InvalidEvent extends Error {
  override readonly name: string = "InvalidEvent";
}

/** Options of {@link createEventJournal}. */
export interface EventJournalOptions {
  /** Appends events to the log. */
  writer: Pick<RunWriter, "runId" | "append" | "lastSeq">;
  /** Store from which stored events are read, even after the writer is closed. */
  store: Pick<RunStore, "events">;
  /**
   * Publisher that receives every event after the event is stored. Failures of this publisher do not affect the run.
   */
  observer?: Publisher | undefined;
  /** Called once if storing fails. */
  onFailure?: ((error: EngineError) => void) | undefined;
}

/** Event waiting to be delivered, with its JSON text if the event is stored. */
interface Entry {
  envelope: Envelope;
  stored?: EventText | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Creates the journal of a run. */
export function createEventJournal(options: EventJournalOptions): EventJournal {
  return new Journal(options);
}

class Journal implements EventJournal {
  readonly #options: EventJournalOptions;
  readonly #tails = new Set<TailWriter>();
  #pending: Entry[] = [];
  #writing: Promise<void> | undefined;
  #nextSeq: number;
  #storedSeq: number;
  #ended = false;
  #failure: EngineError | undefined;

  constructor(options: EventJournalOptions) {
    this.#options = options;
    this.#storedSeq = options.writer.lastSeq;
    this.#nextSeq = this.#storedSeq + 1;
  }

  get lastSeq(): number {
    return this.#storedSeq;
  }

  get failure(): EngineError | undefined {
    return this.#failure;
  }

  stored(afterSeq: number): AsyncIterable<Envelope> {
    const { store, writer } = this.#options;
    return store.events(writer.runId, afterSeq);
  }

  retry(): void {
    this.#failure = undefined;
  }

  async publish(envelope: Envelope): Promise<void> {
    if (this.#ended) throw new EngineError("run.finished", { runId: envelope.headers["run_id"] });
    if (!isStored(envelope.type)) return this.#publishIncrement(envelope);
    if (this.#failure !== undefined) throw this.#failure;
    // The event is serialised immediately, because the publisher may change the payload during the write to disk.
    const stored = toText(envelope, this.#nextSeq);
    this.#nextSeq++;
    const published = new Promise<void>((resolve, reject) => {
      this.#pending.push({ envelope, stored, resolve, reject });
    });
    this.#writing ??= this.#write();
    return published;
  }

  tail(): EventTail {
    const tail = createEventTail(this.#storedSeq, (closed) => this.#tails.delete(closed));
    if (this.#ended) tail.push({ kind: "ended" });
    else this.#tails.add(tail);
    return tail;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#writing;
    for (const tail of this.#tails) tail.push({ kind: "ended" });
    this.#tails.clear();
  }

  /** Delivers text increments in order, after the stored events that were published before them. */
  #publishIncrement(envelope: Envelope): void {
    const entry: Entry = { envelope, resolve: ignore, reject: ignore };
    if (this.#writing === undefined) this.#deliver(entry);
    else this.#pending.push(entry);
  }

  async #write(): Promise<void> {
    // Events that are published in the same turn of the event loop's microtasks are stored together.
    await undefined;
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        const events = batch.flatMap(({ stored }) => stored ?? []);
        if (events.length > 0) await this.#options.writer.append(events);
      } catch (error) {
        this.#fail(error, batch);
        continue;
      }
      for (const entry of batch) {
        this.#storedSeq = entry.stored?.seq ?? this.#storedSeq;
        this.#deliver(entry);
        entry.resolve();
      }
    }
    this.#writing = undefined;
  }

  #fail(error: unknown, batch: readonly Entry[]): void {
    const failure = toEngineError(error);
    const failed = [...batch, ...this.#pending].filter((entry) => entry.stored !== undefined);
    this.#pending = this.#pending.filter((entry) => entry.stored === undefined);
    this.#nextSeq = this.#storedSeq + 1;
    this.#failure = failure;
    for (const entry of failed) entry.reject(failure);
    this.#options.onFailure?.(failure);
  }

  #deliver({ envelope, stored }: Entry): void {
    if (this.#tails.size === 0 && this.#options.observer === undefined) return;
    const shown = stored === undefined ? { ...envelope } : parseText(stored.text, envelope);
    const size = stored?.text.length ?? sizeOf(envelope);
    for (const tail of this.#tails) tail.push({ kind: "event", envelope: shown, size });
    void observe(this.#options.observer, shown);
  }
}

function toText(envelope: Envelope, seq: number): EventText {
  const text = stringify({ ...envelope, seq });
  if (text.length > MAX_EVENT_CHARACTERS) throw new InvalidEvent(`it has more than ${MAX_EVENT_CHARACTERS} characters`);
  return { seq, text };
}

function stringify(envelope: Envelope): string {
  try {
    return JSON.stringify(envelope);
  } catch (error) {
    throw toInvalidEvent(error);
  }
}

function toInvalidEvent(cause: unknown): InvalidEvent {
  return new InvalidEvent("it is not plain data", { cause });
}

function sizeOf({ payload }: Envelope): number {
  const length = "content" in payload ? String(payload.content).length : 0;
  return length + INCREMENT_CHARACTERS;
}

function isStored(type: EventType): boolean {
  return EVENT_TABLE[type].persisted;
}

/** Parses the stored text, so that readers do not share objects with the publisher. */
function parseText(text: string, published: Envelope): Envelope {
  const value: unknown = JSON.parse(text);
  return isEnvelope(value) ? value : published;
}

async function observe(observer: Publisher | undefined, envelope: Envelope): Promise<void> {
  try {
    await observer?.publish(envelope);
  } catch {
    // Failures of the publisher are ignored: the log is authoritative, and observers may miss events.
    // See engine: Publisher.
  }
}

function ignore(): void {}
