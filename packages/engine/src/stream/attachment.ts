import { type Envelope, EVENT_TABLE } from "@switchyard/contracts";
import { createFifo } from "../bus/create-fifo.ts";
import { isStreamDelta } from "../subject/subject-of.ts";
import { decodeStreamDelta } from "./stream-delta.ts";
import type { StreamSink } from "./stream-sink.ts";

/** Options for an attachment. */
export interface AttachmentOptions {
  /** Maximum number of buffered envelopes. */
  readonly bufferSize: number;
  /** True to deliver all events, false to deliver only stream increments. */
  readonly allEvents: boolean;
  /** Called with every error of the sink. */
  readonly onError: (error: unknown) => void;
  /** Called with each envelope that was dropped because the sink was too slow. */
  readonly onDrop: (envelope: Envelope) => void;
  /** Called when deliveries begin, with a promise that resolves when the deliveries are complete. */
  readonly onRunning: (deliveries: Promise<void>) => void;
}

/** Returns true if an envelope is the last event of its run. */
export function isRunEnd(envelope: Envelope): boolean {
  return envelope.type === "run_end";
}

/**
 * Returns true if an envelope is stored with its run. If the sink is too slow, stream increments are dropped before
 * stored events.
 */
export function isStored(envelope: Envelope): boolean {
  return Object.hasOwn(EVENT_TABLE, envelope.type) && EVENT_TABLE[envelope.type].persisted;
}

/** A sink that is attached to a run, with its own queue. */
export class Attachment {
  readonly #sink: StreamSink;
  readonly #options: AttachmentOptions;
  readonly #waiting = createFifo<Envelope>();
  #leave: () => void = () => {};
  #running = false;
  #detached = false;

  constructor(sink: StreamSink, options: AttachmentOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  /** Number of buffered envelopes. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Buffers an envelope (event) for the sink. If the buffer is full, an event is dropped: one that is not stored, such as
   * a piece of streamed text, if there is any. The end of the run is never dropped.
   */
  offer(envelope: Envelope): void {
    const isEnd = isRunEnd(envelope);
    if (this.#detached || !(isEnd || this.#options.allEvents || isStreamDelta(envelope.subject))) return;
    if (!isEnd && this.#waiting.size >= this.#options.bufferSize) {
      // A stored event replaces the oldest waiting event that is not stored, such as a piece of streamed text.
      // If only stored events are buffered, the new event is dropped.
      const dropped = isStored(envelope) ? this.#waiting.removeFirst((other) => !isStored(other)) : envelope;
      this.#options.onDrop(dropped ?? envelope);
      if (dropped === undefined || dropped === envelope) return;
    }
    this.#waiting.push(envelope);
    if (!this.#running) this.#options.onRunning(this.#start());
  }

  /** Detaches the sink, which receives nothing more. */
  detach(): void {
    this.#detached = true;
    this.#waiting.clear();
    this.#leave();
  }

  /**
   * Resolves when the buffer is empty or the sink is detached. Detaching ends the wait, because a sink's transport may
   * hang forever.
   */
  #start(): Promise<void> {
    return new Promise((resolve) => {
      this.#leave = resolve;
      void this.#run().then(resolve);
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    // The publisher's call returns before the sink is called, so that a sink never runs inside that call.
    await Promise.resolve();
    for (let envelope = this.#waiting.shift(); envelope !== undefined; envelope = this.#waiting.shift()) {
      try {
        await this.#deliver(envelope);
      } catch (error) {
        this.#options.onError(error);
      }
    }
    this.#running = false;
  }

  async #deliver(envelope: Envelope): Promise<void> {
    if (isStreamDelta(envelope.subject)) await this.#sink.onDelta(envelope, decodeStreamDelta(envelope));
    else if (this.#options.allEvents) await this.#sink.onDelta(envelope, undefined);
    if (isRunEnd(envelope) && !this.#detached) await this.#sink.onEnd?.(envelope);
  }
}
