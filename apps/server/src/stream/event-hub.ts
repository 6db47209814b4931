import type { Envelope, Publisher, RunStore } from "@switchyard/contracts";
import type { EventClient } from "./event-client.ts";
import { eventFrame } from "./event-frame.ts";

/** Stored events that are kept at hand for clients that come from the log. */
const MAX_RECENT = 512;
/** Bytes of them. */
const MAX_RECENT_BYTES = 256 * 1024;

interface RecentEvent {
  readonly seq: number;
  readonly frame: Buffer;
}

/**
 * The events of one run on their way to all who watch it. Each is made a frame once; a client first gets what the log
 * has behind its last event, then what comes. Contract: every stored event once and in order, whatever comes between.
 * D8, D13.
 */
export class EventHub implements Publisher {
  readonly #runId: string;
  readonly #store: Pick<RunStore, "events">;
  readonly #live = new Set<EventClient>();
  /** Clients that have been given what the log had. */
  readonly #hasRead = new WeakSet<EventClient>();
  #recent: RecentEvent[] = [];
  #recentBytes = 0;
  #lastSeq = 0;
  #isReleasing = false;
  #lastFrame: Buffer | undefined;

  constructor(runId: string, store: Pick<RunStore, "events">) {
    this.#runId = runId;
    this.#store = store;
  }

  /** Hands an event to all clients that are caught up; it is in the log by now. */
  async publish(envelope: Envelope): Promise<void> {
    const { seq } = envelope;
    if (seq === undefined && this.#live.size === 0) return;
    const frame = eventFrame(this.#runId, envelope);
    if (seq !== undefined) this.#keep({ seq, frame });
    for (const client of this.#live) {
      client.hold();
      client.send(frame, seq);
    }
    this.#releaseSoon();
  }

  /** Leads a client from the log to what comes, until it is caught up or gone. Rejects with what the log is damaged by. */
  async watch(client: EventClient): Promise<void> {
    while (!client.isClosed && !this.#join(client)) await this.#sendStored(client);
  }

  /** Takes a client out that is gone. */
  forget(client: EventClient): void {
    this.#live.delete(client);
  }

  /** Whether an event with this number was handed out here. */
  hasSent(seq: number): boolean {
    return seq <= this.#lastSeq;
  }

  /** Ends the stream of every client when it has all events. */
  end(frame: Buffer): void {
    this.#lastFrame = frame;
    for (const client of this.#live) client.end(frame);
    this.#live.clear();
  }

  /** What else comes in this turn of the event loop goes with it: one write for each client, not one for each event. */
  #releaseSoon(): void {
    if (this.#isReleasing) return;
    this.#isReleasing = true;
    process.nextTick(() => {
      this.#isReleasing = false;
      for (const client of this.#live) client.release();
    });
  }

  #keep(event: RecentEvent): void {
    this.#lastSeq = event.seq;
    this.#recent.push(event);
    this.#recentBytes += event.frame.length;
    while (this.#recent.length > MAX_RECENT || this.#recentBytes > MAX_RECENT_BYTES) {
      const oldest = this.#recent.shift();
      if (oldest === undefined) return;
      this.#recentBytes -= oldest.frame.length;
    }
  }

  /** Nothing can come between the look and the joining: both happen in one go. */
  #join(client: EventClient): boolean {
    if (client.position < this.#lastSeq) {
      const [first] = this.#recent;
      if (first === undefined || first.seq > client.position + 1) return false;
      for (const { seq, frame } of this.#recent) client.send(frame, seq);
    } else if (this.#lastSeq === 0 && !this.#hasRead.has(client)) return false;
    if (this.#lastFrame === undefined) this.#live.add(client);
    else client.end(this.#lastFrame);
    return true;
  }

  async #sendStored(client: EventClient): Promise<void> {
    for await (const envelope of this.#store.events(this.#runId, client.position)) {
      client.send(eventFrame(this.#runId, envelope), envelope.seq);
      await client.ready();
      if (client.isClosed) return;
    }
    this.#hasRead.add(client);
  }
}
