import { EngineError, type Envelope } from "@switchyard/contracts";
import type { EventBus, Subscription, SubscriptionOptions } from "../bus/event-bus.ts";
import { patternRun } from "../subject/subject-of.ts";
import { Attachment, isRunEnd, isStored } from "./attachment.ts";
import type { StreamSinkEntry } from "./stream-sink.ts";

/** Default number of buffered envelopes, for the router and for each sink. See engine: WithStreamBufferSize. */
const BUFFER_SIZE = 256;

/** Default time limit for sinks on close, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Options for `createStreamRouter`. */
export interface StreamRouterOptions {
  /** Maximum number of buffered envelopes, on the bus and for each sink. Default: 256. */
  readonly bufferSize?: number | undefined;
  /**
   * True to deliver all events of the run, false to deliver only stream increments. Default: false. See engine:
   * WithStreamIncludeAllRunEvents.
   */
  readonly allEvents?: boolean | undefined;
  /** Called with every error of a sink. See engine: WithStreamSinkErrorHandler. */
  readonly onSinkError?: ((sinkId: string, error: unknown) => void) | undefined;
  /** Called with each envelope that was dropped because a sink was too slow. */
  readonly onSinkDrop?: ((sinkId: string, envelope: Envelope) => void) | undefined;
  /** Maximum time that `close` waits for sinks, in milliseconds. Default: 5,000. */
  readonly closeTimeoutMs?: number | undefined;
  /** Additional options of the bus subscription. See engine: WithStreamSubOptions. */
  readonly subscription?: Omit<SubscriptionOptions, "bufferSize"> | undefined;
}

/** Forwards the events of runs to sinks that attach and detach. See engine: StreamRouter. */
export interface StreamRouter {
  /**
   * Attaches a sink under an id, replacing an earlier sink with the same id. Returns a function that detaches it.
   * Throws `stream.closed`, or `config.invalid` without a run id or a sink id.
   */
  attach(runId: string, sinkId: string, sink: StreamSinkEntry): () => void;
  /**
   * Detaches all sinks after published events are delivered. A sink that takes longer than `closeTimeoutMs` is detached
   * anyway, and `onSinkError` receives `stream.sink_stuck`. May be called repeatedly.
   */
  close(): Promise<void>;
}

/** The bus subscription for the events of one run, with the sinks attached to that run. */
interface FanOut {
  readonly subscription: Subscription;
  readonly attachments: Map<string, Attachment>;
  /** Resolves when the run has ended or the last sink is detached. */
  done: Promise<void>;
}

/**
 * Returns the options of the bus subscription. Whatever the caller's options are, the subscription drops neither stored
 * events nor the event that ends the run. Stored events may therefore exceed `bufferSize`, but only during bursts,
 * because the router reads events immediately.
 */
function subscriptionOptions({ bufferSize = BUFFER_SIZE, subscription }: StreamRouterOptions): SubscriptionOptions {
  return {
    ...subscription,
    bufferSize,
    predicate: (envelope) => isRunEnd(envelope) || subscription?.predicate?.(envelope) !== false,
    keep: (envelope) => isStored(envelope) || subscription?.keep?.(envelope) === true,
  };
}

function ignoreErrors(call: () => void): void {
  try {
    call();
  } catch {
    // Errors of the error handler are ignored, because there is no other way to report them.
  }
}

class Router implements StreamRouter {
  readonly #bus: EventBus;
  readonly #options: StreamRouterOptions;
  readonly #fanOuts = new Map<string, FanOut>();
  // Deliveries in progress. The key is the attached sink.
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
      // Ends the subscription after the delivery of all events that are already published.
      fanOut.subscription.finish();
    }
    const { closeTimeoutMs = CLOSE_TIMEOUT_MS } = this.#options;
    const timer = setTimeout(() => this.#giveUp(closeTimeoutMs), closeTimeoutMs);
    await Promise.all(open.map(([, fanOut]) => fanOut.done));
    while (this.#deliveries.size > 0) await Promise.all(Array.from(this.#deliveries.values(), ({ over }) => over));
    clearTimeout(timer);
  }

  /** Detaches the sinks whose deliveries have not finished in time. */
  #giveUp(timeoutMs: number): void {
    for (const [attachment, { sinkId }] of this.#deliveries) {
      const stuck = new EngineError("stream.sink_stuck", { sinkId, waiting: attachment.waiting, timeoutMs });
      ignoreErrors(() => this.#options.onSinkError?.(sinkId, stuck));
      attachment.detach();
    }
  }

  #createAttachment(sinkId: string, sink: StreamSinkEntry): Attachment {
    const { bufferSize = BUFFER_SIZE, allEvents = false, onSinkError, onSinkDrop } = this.#options;
    const attachment: Attachment = new Attachment(typeof sink === "function" ? { onDelta: sink } : sink, {
      bufferSize,
      allEvents,
      onError: (error) => ignoreErrors(() => onSinkError?.(sinkId, error)),
      onDrop: (envelope) => ignoreErrors(() => onSinkDrop?.(sinkId, envelope)),
      onRunning: (deliveries) => {
        const over = deliveries.finally(() => this.#deliveries.delete(attachment));
        this.#deliveries.set(attachment, { sinkId, over });
      },
    });
    return attachment;
  }

  #open(runId: string): FanOut {
    // The end of the run must always be received, so all events are subscribed to, even if no sink accepts them.
    const subscription = this.#bus.subscribe(patternRun(runId), subscriptionOptions(this.#options));
    const fanOut: FanOut = { subscription, attachments: new Map(), done: Promise.resolve() };
    fanOut.done = this.#forward(runId, fanOut);
    this.#fanOuts.set(runId, fanOut);
    return fanOut;
  }

  async #forward(runId: string, fanOut: FanOut): Promise<void> {
    try {
      for await (const envelope of fanOut.subscription) {
        // Removes the subscription from the map before the last event is delivered.
        // Sinks that are attached afterwards wait for the run's next attempt.
        if (isRunEnd(envelope)) this.#forget(runId, fanOut);
        for (const attachment of fanOut.attachments.values()) attachment.offer(envelope);
        if (isRunEnd(envelope)) break;
      }
    } catch (error) {
      for (const sinkId of fanOut.attachments.keys()) ignoreErrors(() => this.#options.onSinkError?.(sinkId, error));
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

  /** Detaches exactly this attachment: a stale call must not detach a newer sink of the same id. */
  #detach(runId: string, sinkId: string, attachment: Attachment): void {
    attachment.detach();
    const fanOut = this.#fanOuts.get(runId);
    if (fanOut === undefined || fanOut.attachments.get(sinkId) !== attachment) return;
    fanOut.attachments.delete(sinkId);
    if (fanOut.attachments.size === 0) this.#retire(runId, fanOut);
  }
}

/** Creates a router over a bus. Throws `config.invalid` without a bus. See engine: NewStreamRouter. */
export function createStreamRouter(bus: EventBus, options: StreamRouterOptions = {}): StreamRouter {
  const given: EventBus | undefined = bus;
  if (given === undefined || given === null)
    throw new EngineError("config.invalid", { field: "bus", problem: "it is missing" });
  return new Router(bus, options);
}
