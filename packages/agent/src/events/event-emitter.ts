import { type EventPayloads, type EventType, isoTime } from "@switchyard/contracts";
import { EventQueue } from "./event-queue.ts";
import { type Emit, type SessionEvent, type SessionListener, toSessionEvent } from "./session-event.ts";

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

/** Whoever is told of events. */
interface EventSink {
  push(event: SessionEvent): void;
  end(): void;
}

/** As for any event target: what a listener throws is nobody's failure but its own, and must not pass unseen. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Tells a function at once. */
class ListenerSink implements EventSink {
  readonly #listener: SessionListener;

  constructor(listener: SessionListener) {
    this.#listener = listener;
  }

  push(event: SessionEvent): void {
    try {
      this.#listener(event);
    } catch (error) {
      throwLater(error);
    }
  }

  end(): void {}
}

let stampedMs = Number.NaN;
let stamp = "";

/** ISO 8601. Many sessions say much within one millisecond; writing the date anew for each would cost more than they do. */
function writeStamp(ms: number): void {
  stamp = isoTime(ms);
  stampedMs = ms;
}

function deliverToNone(): void {}

/** Tells each of them, whatever becomes of the list. */
function deliveryTo(sinks: readonly EventSink[]): SessionListener {
  const [first, second] = sinks;
  if (first === undefined) return deliverToNone;
  if (second === undefined) return (event) => first.push(event);
  return (event) => {
    for (const sink of sinks) sink.push(event);
  };
}

/** Delivers the events of one session to everybody who listens. loop: EventEmitter, §2.9. */
export class EventEmitter {
  readonly #sessionId: string;
  readonly #now: () => number;
  #sinks: readonly EventSink[] = [];
  /** Tells all of them. One function, as a round says five things and V8 compiles this way anew for each of them. */
  #deliver: SessionListener = deliverToNone;
  /** Those of them that somebody reads at their own pace. */
  #queues: readonly EventQueue[] = [];
  #announce: (() => void) | undefined;
  #ended = false;

  /** Makes an emitter that nobody listens to but whoever events are relayed to. */
  constructor({ sessionId, now, announce, relay }: EventEmitterOptions) {
    this.#sessionId = sessionId;
    this.#now = now;
    this.#announce = announce;
    if (relay !== undefined) this.#add(new ListenerSink(relay));
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
    else this.#add(queue);
    return queue;
  }

  /** Ends one queue behind what it has got. */
  unsubscribe(queue: EventQueue): void {
    this.#remove(queue);
    queue.end();
  }

  /** Calls back with every event from now on, until the returned function is called. */
  listen(listener: SessionListener): () => void {
    const sink = new ListenerSink(listener);
    this.#add(sink);
    return () => this.#remove(sink);
  }

  /** Whether a reader has yet to act upon what it was told. */
  get isAwaited(): boolean {
    return this.#queues.length > 0 && this.#queues.some(({ isBehind }) => isBehind);
  }

  /** Lets readers that keep up act upon what they were told; one that does something else is not waited for. */
  async waitForReaders(): Promise<void> {
    for (let turn = 0; turn < READER_TURNS && this.isAwaited; turn += 1) await undefined;
  }

  /** Delivers one event. Bound, so that whoever emits needs nothing else of this. */
  readonly emit: Emit = this.#emit.bind(this);

  /** Delivers an event that was made elsewhere: one of a subagent. */
  deliver(event: SessionEvent): void {
    this.#deliver(event);
  }

  /** The time now, ISO 8601. */
  timestamp(): string {
    const ms = this.#now();
    if (ms !== stampedMs) writeStamp(ms);
    return stamp;
  }

  /** Ends all queues; nothing is delivered any more. */
  end(): void {
    this.#ended = true;
    const sinks = this.#sinks;
    this.#deliverTo([]);
    for (const sink of sinks) sink.end();
  }

  // All in one function: increments come by the thousand, and each function on their way is compiled by itself.
  #emit<T extends EventType>(type: T, data: EventPayloads[T]): void {
    if (this.#ended) return;
    if (this.#announce !== undefined) this.start();
    const ms = this.#now();
    if (ms !== stampedMs) writeStamp(ms);
    this.#deliver(toSessionEvent({ type, timestamp: stamp, sessionId: this.#sessionId, data }));
  }

  #add(sink: EventSink): void {
    // Not spread, which leaves room for many more.
    this.#deliverTo(this.#sinks.concat(sink));
  }

  #remove(sink: EventSink): void {
    this.#deliverTo(this.#sinks.filter((other) => other !== sink));
  }

  #deliverTo(sinks: readonly EventSink[]): void {
    this.#sinks = sinks;
    this.#deliver = deliveryTo(sinks);
    this.#queues = sinks.filter((sink) => sink instanceof EventQueue);
  }
}
