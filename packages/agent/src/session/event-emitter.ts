import type { EventPayloads, EventType } from "@switchyard/contracts";
import { EventQueue } from "./event-queue.ts";
import { isSessionEvent, type SessionEvent, type SessionEventOf, type SessionListener } from "./session-event.ts";

/** What an emitter needs to know. */
export interface EventEmitterOptions {
  /** Session the events belong to. */
  sessionId: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Called before the first event. */
  announce: () => void;
  /** Told of each event as well: whoever listens to the parent of a subagent. */
  relay?: ((event: SessionEvent) => void) | undefined;
}

/** Turns of the microtask queue that readers get to act upon what they were told. */
const READER_TURNS = 16;

/** As for any event target: what a listener throws is nobody's failure but its own, and must not pass unseen. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

function isBehind(queue: EventQueue): boolean {
  return queue.isBehind;
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
  #queues: readonly EventQueue[] = [];
  #listeners: readonly SessionListener[] = [];
  #announce: (() => void) | undefined;
  #ended = false;

  /** Makes an emitter without listeners. */
  constructor(options: EventEmitterOptions) {
    this.#sessionId = options.sessionId;
    this.#now = options.now;
    this.#relay = options.relay;
    this.#announce = options.announce;
  }

  /** Whether anything was said. */
  get hasStarted(): boolean {
    return this.#announce === undefined;
  }

  /** Says what comes before anything else; nothing when that was said. */
  start(): void {
    const announce = this.#announce;
    this.#announce = undefined;
    announce?.();
  }

  /** A queue that gets every event from now on. */
  subscribe(): EventQueue {
    const queue = new EventQueue();
    if (this.#ended) queue.end();
    else this.#queues = [...this.#queues, queue];
    return queue;
  }

  /** Ends one queue behind what it has got. */
  unsubscribe(queue: EventQueue): void {
    this.#queues = this.#queues.filter((other) => other !== queue);
    queue.end();
  }

  /** Calls back with every event from now on, until the returned function is called. */
  listen(listener: SessionListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    let isListening = true;
    return () => {
      if (!isListening) return;
      isListening = false;
      const index = this.#listeners.indexOf(listener);
      this.#listeners = this.#listeners.filter((_, other) => other !== index);
    };
  }

  /** Whether a reader has yet to act upon what it was told. */
  get isAwaited(): boolean {
    return this.#queues.length > 0 && this.#queues.some(isBehind);
  }

  /** Lets readers that keep up act upon what they were told; one that does something else is not waited for. */
  async letReadersAct(): Promise<void> {
    for (let turn = 0; turn < READER_TURNS && this.isAwaited; turn += 1) await undefined;
  }

  /** Delivers one event. */
  emit<T extends EventType>(type: T, data: EventPayloads[T]): void {
    if (this.#ended) return;
    if (this.#announce !== undefined) this.start();
    const event: SessionEventOf<EventType> = { type, timestamp: this.timestamp(), sessionId: this.#sessionId, data };
    if (isSessionEvent(event)) this.deliver(event);
  }

  /** Delivers an event that was made elsewhere: one of a subagent. */
  deliver(event: SessionEvent): void {
    if (this.#ended) return;
    for (const queue of this.#queues) queue.push(event);
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        throwLater(error);
      }
    }
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
    this.#queues = [];
    this.#listeners = [];
  }
}
