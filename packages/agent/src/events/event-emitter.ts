import { type EventPayloads, type EventType, isoTime } from "@switchyard/contracts";
import { EventQueue } from "./event-queue.ts";
import { type Emit, type SessionEvent, type SessionListener, toSessionEvent } from "./session-event.ts";

/** Options for `EventEmitter`. */
export interface EventEmitterOptions {
  /** Id of the session that the events belong to. */
  sessionId: string;
  /** Returns the time in milliseconds since 1970. */
  now: () => number;
  /** Called before the first event. */
  announce: () => void;
  /**
   * Called with each event of a subagent's session, so that the parent session can deliver it to its listeners.
   * `undefined` for a root session.
   */
  relay?: ((event: SessionEvent) => void) | undefined;
}

/** Maximum number of microtask turns to wait until readers have processed their events. */
const READER_TURNS = 16;

/** Receiver of events. */
interface EventSink {
  push(event: SessionEvent): void;
  end(): void;
}

/** Rethrows a listener's error asynchronously as an uncaught error, as an `EventTarget` does. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Receiver of events that calls a listener function synchronously. */
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

/** Formats ISO 8601. Cached per millisecond, because formatting would cost more than the rest of an event. */
function writeStamp(ms: number): void {
  stamp = isoTime(ms);
  stampedMs = ms;
}

function deliverToNone(): void {}

/** Returns a function that delivers an event to each receiver in the list. Later changes of the list have no effect. */
function deliveryTo(sinks: readonly EventSink[]): SessionListener {
  const [first, second] = sinks;
  if (first === undefined) return deliverToNone;
  if (second === undefined) return (event) => first.push(event);
  return (event) => {
    for (const sink of sinks) sink.push(event);
  };
}

/** Delivers the events of a session to its listeners. See loop: EventEmitter, §2.9. */
export class EventEmitter {
  readonly #sessionId: string;
  readonly #now: () => number;
  #sinks: readonly EventSink[] = [];
  /**
   * Function that delivers an event to all receivers. It is created again only when the receivers change: with a new
   * function for each event, V8 would compile the code again and again.
   */
  #deliver: SessionListener = deliverToNone;
  /** Queues of readers that iterate at their own pace. */
  #queues: readonly EventQueue[] = [];
  #announce: (() => void) | undefined;
  #ended = false;

  /** Creates an emitter without listeners, except `relay`. */
  constructor({ sessionId, now, announce, relay }: EventEmitterOptions) {
    this.#sessionId = sessionId;
    this.#now = now;
    this.#announce = announce;
    if (relay !== undefined) this.#add(new ListenerSink(relay));
  }

  /** Whether any event was emitted. */
  get hasStarted(): boolean {
    return this.#announce === undefined;
  }

  /** Calls `announce` before the first event. Has no effect when called again. */
  start(): void {
    const announce = this.#announce;
    this.#announce = undefined;
    announce?.();
  }

  /** Returns a queue that receives all events from now on. */
  subscribe(): EventQueue {
    const queue = new EventQueue();
    if (this.#ended) queue.end();
    else this.#add(queue);
    return queue;
  }

  /** Stops adding events to a queue. The reader of the queue still receives the events that are already in it. */
  unsubscribe(queue: EventQueue): void {
    this.#remove(queue);
    queue.end();
  }

  /** Calls a function with every event from now on. Returns a function that ends the subscription. */
  listen(listener: SessionListener): () => void {
    const sink = new ListenerSink(listener);
    this.#add(sink);
    return () => this.#remove(sink);
  }

  /** True if a reader has not yet processed all of its events. */
  get isAwaited(): boolean {
    return this.#queues.length > 0 && this.#queues.some(({ isBehind }) => isBehind);
  }

  /**
   * Waits until fast readers have processed their queued events. The wait is limited, so slow readers do not block the
   * session.
   */
  async waitForReaders(): Promise<void> {
    for (let turn = 0; turn < READER_TURNS && this.isAwaited; turn += 1) await undefined;
  }

  /** Emits an event. Bound to the emitter, so that it can be passed as a plain function. */
  readonly emit: Emit = this.#emit.bind(this);

  /** Delivers an event of a subagent unchanged. */
  deliver(event: SessionEvent): void {
    this.#deliver(event);
  }

  /** Returns the current time, ISO 8601. */
  timestamp(): string {
    const ms = this.#now();
    if (ms !== stampedMs) writeStamp(ms);
    return stamp;
  }

  /** Ends all queues. Later events are not delivered. */
  end(): void {
    this.#ended = true;
    const sinks = this.#sinks;
    this.#deliverTo([]);
    for (const sink of sinks) sink.end();
  }

  // Repeats the code of `timestamp` instead of calling it: this function runs for every streamed piece of output, and V8
  // compiles each called function separately.
  #emit<T extends EventType>(type: T, data: EventPayloads[T]): void {
    if (this.#ended) return;
    if (this.#announce !== undefined) this.start();
    const ms = this.#now();
    if (ms !== stampedMs) writeStamp(ms);
    this.#deliver(toSessionEvent({ type, timestamp: stamp, sessionId: this.#sessionId, data }));
  }

  #add(sink: EventSink): void {
    // Uses `concat`, because array spread reserves more memory than needed.
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
