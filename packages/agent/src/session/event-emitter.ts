import type { EventPayloads, EventType } from "@switchyard/contracts";
import { EventQueue } from "./event-queue.ts";
import { isSessionEvent, type SessionEvent, type SessionEventOf } from "./session-event.ts";

/** What an emitter needs to know. */
export interface EventEmitterOptions {
  /** Session the events belong to. */
  sessionId: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Told of each event as well: whoever listens to the parent of a subagent. */
  relay?: ((event: SessionEvent) => void) | undefined;
}

let stampedMs = Number.NaN;
let stamp = "";

/** ISO 8601. Many sessions say much within one millisecond; writing the date anew for each would cost more than they do. */
function stampOf(ms: number): string {
  if (ms !== stampedMs) {
    stamp = new Date(ms).toISOString();
    stampedMs = ms;
  }
  return stamp;
}

/** Delivers the events of one session to everybody who listens. loop: EventEmitter, §2.9. */
export class EventEmitter {
  readonly #sessionId: string;
  readonly #now: () => number;
  readonly #relay: ((event: SessionEvent) => void) | undefined;
  readonly #queues = new Set<EventQueue>();
  #ended = false;

  /** Makes an emitter without listeners. */
  constructor(options: EventEmitterOptions) {
    this.#sessionId = options.sessionId;
    this.#now = options.now;
    this.#relay = options.relay;
  }

  /** A queue that gets every event from now on. */
  subscribe(): EventQueue {
    const queue = new EventQueue();
    if (this.#ended) queue.end();
    else this.#queues.add(queue);
    return queue;
  }

  /** Ends one queue behind what it has got. */
  unsubscribe(queue: EventQueue): void {
    this.#queues.delete(queue);
    queue.end();
  }

  /** Delivers one event. */
  emit<T extends EventType>(type: T, data: EventPayloads[T]): void {
    if (this.#ended) return;
    const event: SessionEventOf<EventType> = { type, timestamp: this.timestamp(), sessionId: this.#sessionId, data };
    if (isSessionEvent(event)) this.deliver(event);
  }

  /** Delivers an event that was made elsewhere: one of a subagent. */
  deliver(event: SessionEvent): void {
    if (this.#ended) return;
    for (const queue of this.#queues) queue.push(event);
    this.#relay?.(event);
  }

  /** The time now, ISO 8601. */
  timestamp(): string {
    return stampOf(this.#now());
  }

  /** Ends all queues; nothing is delivered any more. */
  end(): void {
    this.#ended = true;
    for (const queue of this.#queues) queue.end();
    this.#queues.clear();
  }
}
