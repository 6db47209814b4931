import type { Envelope, Publisher, RunStore } from "@switchyard/contracts";
import type { EventClient } from "./event-client.ts";
import { eventFrame } from "./event-frame.ts";

/**
 * Maximum number of recent events that are stored in memory. Clients that missed only these events need not read the
 * log.
 */
const MAX_RECENT = 512;
/** Maximum size of the recent events in memory, in bytes. */
const MAX_RECENT_BYTES = 64 * 1024;

interface RecentEvent {
  readonly seq: number;
  readonly frame: Buffer;
}

/**
 * Distributes the events of one run to all clients. Each event is encoded once. A client first receives stored events
 * that it missed, then live events. Contract: every client receives each stored event once and in order. See durability
 * promises D8, D13.
 */
export class EventHub implements Publisher {
  readonly #runId: string;
  readonly #store: Pick<RunStore, "events">;
  readonly #live = new Set<EventClient>();
  /** Clients that have received all stored events and now receive live events. */
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

  /** Sends an event to all clients that have received all earlier events. A stored event must already be in the log. */
  async publish(envelope: Envelope): Promise<void> {
    const { seq } = envelope;
    if (seq === undefined && this.#live.size === 0) return;
    const frame = eventFrame(this.#runId, envelope);
    if (seq !== undefined) this.#remember({ seq, frame });
    for (const client of this.#live) {
      client.hold();
      client.send(frame, seq);
    }
    this.#releaseSoon();
  }

  /**
   * Sends stored events to a client until the client has received all of them or has disconnected. Rejects if the log
   * is damaged.
   */
  async watch(client: EventClient): Promise<void> {
    while (!client.isClosed && !this.#join(client)) await this.#sendStored(client);
  }

  /** Removes a client that has disconnected. */
  forget(client: EventClient): void {
    this.#live.delete(client);
  }

  /** Returns whether the hub has already sent an event with this sequence number. */
  hasSent(seq: number): boolean {
    return seq <= this.#lastSeq;
  }

  /**
   * Sends a last server-sent event to every client and ends its stream. Clients that have not received all stored
   * events receive these first.
   */
  end(frame: Buffer): void {
    this.#lastFrame = frame;
    for (const client of this.#live) client.end(frame);
    this.#live.clear();
  }

  /**
   * Closes the connections of all clients. Unlike `end`, sends no final server-sent event, so the clients reconnect and
   * continue after the last event that they received.
   */
  drop(): void {
    for (const client of this.#live) client.drop();
    this.#live.clear();
  }

  /** Sends the events of one event loop turn together: one write per client instead of one per event. */
  #releaseSoon(): void {
    if (this.#isReleasing) return;
    this.#isReleasing = true;
    process.nextTick(() => {
      this.#isReleasing = false;
      for (const client of this.#live) client.release();
    });
  }

  #remember(event: RecentEvent): void {
    this.#lastSeq = event.seq;
    // Copies the frame to separate memory. Node allocates small buffers in shared blocks of 8 KiB, and one stored frame
    // would keep its whole block in memory.
    const frame = Buffer.allocUnsafeSlow(event.frame.length);
    event.frame.copy(frame);
    this.#recent.push({ ...event, frame });
    this.#recentBytes += frame.length;
    // The newest event stays, however large it is, so that clients need not read the log in a loop until it is there.
    while (this.#recent.length > 1 && (this.#recent.length > MAX_RECENT || this.#recentBytes > MAX_RECENT_BYTES)) {
      this.#recentBytes -= this.#recent.shift()?.frame.length ?? 0;
    }
  }

  /**
   * Adds a client to the live clients if it has received all stored events; otherwise returns false. Check and addition
   * are synchronous, so that the client cannot miss an event in between.
   */
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
