import { EngineError, type Envelope } from "@switchyard/contracts";
import type { EventBus, Subscription, SubscriptionOptions } from "../bus/event-bus.ts";
import { patternRun } from "../subject/subject-of.ts";
import { Attachment, isRunEnd, isStored } from "./attachment.ts";
import type { StreamSinkEntry } from "./stream-sink.ts";

/** Envelopes that wait for the router, and for each sink, unless told otherwise. engine: WithStreamBufferSize. */
const BUFFER_SIZE = 256;

/** How long closing waits for sinks that hang, unless told otherwise. */
const CLOSE_TIMEOUT_MS = 5_000;

/** How a router delivers. */
export interface StreamRouterOptions {
  /** Most envelopes that wait, on the bus and for each sink; 256 by default. */
  readonly bufferSize?: number | undefined;
  /** Whether sinks get all events of the run rather than increments only. engine: WithStreamIncludeAllRunEvents. */
  readonly allEvents?: boolean | undefined;
  /** Told of what goes wrong at a sink. engine: WithStreamSinkErrorHandler. */
  readonly onSinkError?: ((sinkId: string, error: unknown) => void) | undefined;
  /** Told of each envelope that a sink was too slow for. */
  readonly onSinkDrop?: ((sinkId: string, envelope: Envelope) => void) | undefined;
  /** Longest time that closing waits for sinks, in milliseconds; 5,000 by default. */
  readonly closeTimeoutMs?: number | undefined;
  /** Further options of the subscription; the buffer size stays. engine: WithStreamSubOptions. */
  readonly subscription?: Omit<SubscriptionOptions, "bufferSize"> | undefined;
}

/** Forwards the events of runs to sinks that come and go. engine: StreamRouter. */
export interface StreamRouter {
  /**
   * Attaches a sink under an id, in place of an earlier one of the same id; gives the function that detaches it.
   * Throws `stream.closed`, or `config.invalid` without a run id or a sink id.
   */
  attach(runId: string, sinkId: string, sink: StreamSinkEntry): () => void;
  /**
   * Detaches everything once what was published before is delivered. A sink that has not taken it after `closeTimeoutMs` is
   * detached all the same, and `onSinkError` is told of it as `stream.sink_stuck`. Can be repeated.
   */
  close(): Promise<void>;
}

/** One run's subscription and its sinks. */
interface FanOut {
  readonly subscription: Subscription;
  readonly attachments: Map<string, Attachment>;
  /** Resolves when the run is over or the last sink is gone. */
  done: Promise<void>;
}

/**
 * What the subscription is asked for: the run's end always comes through, whatever else is wanted. Stored events do so
 * too: the router takes them at once, so that they wait only while many are published in one go.
 */
function subscriptionOptions({ bufferSize = BUFFER_SIZE, subscription }: StreamRouterOptions): SubscriptionOptions {
  return {
    ...subscription,
    bufferSize,
    predicate: (envelope) => isRunEnd(envelope) || subscription?.predicate?.(envelope) !== false,
    keep: (envelope) => isStored(envelope) || subscription?.keep?.(envelope) === true,
  };
}

function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // A handler that fails has nobody left to tell.
  }
}

class Router implements StreamRouter {
  readonly #bus: EventBus;
  readonly #options: StreamRouterOptions;
  readonly #fanOuts = new Map<string, FanOut>();
  // Sinks that something is being delivered to, until that is over.
  readonly #deliveries = new Map<Attachment, { readonly sinkId: string; readonly over: Promise<void> }>();
  #closing: Promise<void> | undefined;

  constructor(bus: EventBus, options: StreamRouterOptions) {
    this.#bus = bus;
    this.#options = options;
  }

  attach(runId: string, sinkId: string, sink: StreamSinkEntry): () => void {
    if (this.#closing !== undefined) throw new EngineError("stream.closed");
    if (runId === "") throw new EngineError("config.invalid", { field: "runId", problem: "it is empty" });
    if (sinkId === "") throw new EngineError("config.invalid", { field: "sinkId", problem: "it is empty" });
    const fanOut = this.#fanOuts.get(runId) ?? this.#open(runId);
    const attachment = this.#createAttachment(sinkId, sink);
    fanOut.attachments.get(sinkId)?.detach();
    fanOut.attachments.set(sinkId, attachment);
    return () => this.#detach(runId, sinkId, attachment);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const open = [...this.#fanOuts];
    for (const [runId, fanOut] of open) {
      this.#forget(runId, fanOut);
      // What was published before is still delivered.
      fanOut.subscription.finish();
    }
    const { closeTimeoutMs = CLOSE_TIMEOUT_MS } = this.#options;
    const timer = setTimeout(() => this.#giveUp(closeTimeoutMs), closeTimeoutMs);
    await Promise.all(open.map(([, fanOut]) => fanOut.done));
    while (this.#deliveries.size > 0) await Promise.all(Array.from(this.#deliveries.values(), ({ over }) => over));
    clearTimeout(timer);
  }

  /** Detaches the sinks that still have not taken what they were given. */
  #giveUp(timeoutMs: number): void {
    for (const [attachment, { sinkId }] of this.#deliveries) {
      const stuck = new EngineError("stream.sink_stuck", { sinkId, waiting: attachment.waiting, timeoutMs });
      quietly(() => this.#options.onSinkError?.(sinkId, stuck));
      attachment.detach();
    }
  }

  #createAttachment(sinkId: string, sink: StreamSinkEntry): Attachment {
    const { bufferSize = BUFFER_SIZE, allEvents = false, onSinkError, onSinkDrop } = this.#options;
    const attachment: Attachment = new Attachment(typeof sink === "function" ? { onDelta: sink } : sink, {
      bufferSize,
      allEvents,
      onError: (error) => quietly(() => onSinkError?.(sinkId, error)),
      onDrop: (envelope) => quietly(() => onSinkDrop?.(sinkId, envelope)),
      onRunning: (deliveries) => {
        const over = deliveries.finally(() => this.#deliveries.delete(attachment));
        this.#deliveries.set(attachment, { sinkId, over });
      },
    });
    return attachment;
  }

  #open(runId: string): FanOut {
    // The whole run, whatever the sinks want: only so is its end always seen.
    const subscription = this.#bus.subscribe(patternRun(runId), subscriptionOptions(this.#options));
    const fanOut: FanOut = { subscription, attachments: new Map(), done: Promise.resolve() };
    fanOut.done = this.#forward(runId, fanOut);
    this.#fanOuts.set(runId, fanOut);
    return fanOut;
  }

  async #forward(runId: string, fanOut: FanOut): Promise<void> {
    try {
      for await (const envelope of fanOut.subscription) {
        // Retired first: whoever attaches from now on waits for the run's next attempt.
        if (isRunEnd(envelope)) this.#forget(runId, fanOut);
        for (const attachment of fanOut.attachments.values()) attachment.offer(envelope);
        if (isRunEnd(envelope)) break;
      }
    } catch (error) {
      for (const sinkId of fanOut.attachments.keys()) quietly(() => this.#options.onSinkError?.(sinkId, error));
    }
    this.#forget(runId, fanOut);
  }

  #forget(runId: string, fanOut: FanOut): void {
    if (this.#fanOuts.get(runId) === fanOut) this.#fanOuts.delete(runId);
  }

  #retire(runId: string, fanOut: FanOut): void {
    this.#forget(runId, fanOut);
    fanOut.subscription.close();
  }

  /** Detaches this very attachment: a stale detach leaves a newer one of the same id alone. */
  #detach(runId: string, sinkId: string, attachment: Attachment): void {
    attachment.detach();
    const fanOut = this.#fanOuts.get(runId);
    if (fanOut === undefined || fanOut.attachments.get(sinkId) !== attachment) return;
    fanOut.attachments.delete(sinkId);
    if (fanOut.attachments.size === 0) this.#retire(runId, fanOut);
  }
}

/** Makes a router over a bus. Throws `config.invalid` without one. engine: NewStreamRouter. */
export function createStreamRouter(bus: EventBus, options: StreamRouterOptions = {}): StreamRouter {
  const given: EventBus | undefined = bus;
  if (given === undefined || given === null)
    throw new EngineError("config.invalid", { field: "bus", problem: "there is none" });
  return new Router(bus, options);
}
