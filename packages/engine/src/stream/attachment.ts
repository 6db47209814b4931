import { type Envelope, EVENT_TABLE } from "@switchyard/contracts";
import { createFifo } from "../bus/create-fifo.ts";
import { isStreamDelta } from "../subject/subject-of.ts";
import { decodeStreamDelta } from "./stream-delta.ts";
import type { StreamSink } from "./stream-sink.ts";

/** What an attachment is told by its router. */
export interface AttachmentOptions {
  /** Most envelopes that wait for the sink. */
  readonly bufferSize: number;
  /** Whether it gets all events or increments only. */
  readonly allEvents: boolean;
  /** Told of everything that goes wrong at the sink. */
  readonly onError: (error: unknown) => void;
  /** Told of each envelope that the sink was too slow for. */
  readonly onDrop: (envelope: Envelope) => void;
  /** Told of deliveries when they begin. */
  readonly onRunning: (deliveries: Promise<void>) => void;
}

/** Whether an envelope is the end of its run. */
export function isRunEnd(envelope: Envelope): boolean {
  return envelope.type === "run_end";
}

/** Whether an envelope is stored with its run: what shows the run needs it more than increments. */
export function isStored(envelope: Envelope): boolean {
  return Object.hasOwn(EVENT_TABLE, envelope.type) && EVENT_TABLE[envelope.type].persisted;
}

/** One sink of one run, with a queue and a pace of its own. */
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

  /** How many envelopes wait for the sink. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes an envelope for the sink; when too many wait, an increment is dropped, never the end of the run. */
  offer(envelope: Envelope): void {
    const isEnd = isRunEnd(envelope);
    if (this.#detached || !(isEnd || this.#options.allEvents || isStreamDelta(envelope.subject))) return;
    if (!isEnd && this.#waiting.size >= this.#options.bufferSize) {
      // What is stored takes the place of the oldest increment; where only stored events wait, it has to go as well.
      const dropped = isStored(envelope) ? this.#waiting.removeFirst((other) => !isStored(other)) : envelope;
      this.#options.onDrop(dropped ?? envelope);
      if (dropped === undefined || dropped === envelope) return;
    }
    this.#waiting.push(envelope);
    if (!this.#running) this.#options.onRunning(this.#start());
  }

  /** Ends it: the sink gets nothing more. */
  detach(): void {
    this.#detached = true;
    this.#waiting.clear();
    this.#leave();
  }

  /** Resolves when nothing waits any more, or at a detach: the transport of a sink may hang for ever. */
  #start(): Promise<void> {
    return new Promise((resolve) => {
      this.#leave = resolve;
      void this.#run().then(resolve);
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    // The publisher goes on first: a sink never runs inside of its call.
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
