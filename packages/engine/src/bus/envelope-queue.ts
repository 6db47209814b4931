import type { Envelope } from "@switchyard/contracts";
import { errorOfSignal } from "../engine/classify-failure.ts";
import { createFifo } from "./create-fifo.ts";
import type { BusObserver, DropReason, Subscription, SubscriptionOptions } from "./event-bus.ts";

/** Default number of envelopes (events with routing data) that a subscription buffers. See engine: event.Bus. */
const BUFFER_SIZE = 64;
const MAX_BUFFER_SIZE = 2 ** 20;

type Result = IteratorResult<Envelope, undefined>;

interface Parked {
  readonly envelope: Envelope;
  readonly settle: () => void;
}

const END: Result = { done: true, value: undefined };

/** A subscription of the in-memory bus: a bounded queue between publishers and one reader. */
export class EnvelopeQueue implements Subscription, AsyncIterator<Envelope, undefined> {
  readonly pattern: string;
  readonly #options: SubscriptionOptions;
  readonly #observer: BusObserver;
  readonly #onClose: (queue: EnvelopeQueue) => void;
  readonly #bufferSize: number;
  readonly #waiting = createFifo<Envelope>();
  readonly #parked = new Set<Parked>();
  readonly #readers = createFifo<(result: Result) => void>();
  #dropped = 0;
  #closed = false;
  #sampled = 0;

  constructor(
    pattern: string,
    options: SubscriptionOptions,
    { observer, onClose }: { observer: BusObserver; onClose: (queue: EnvelopeQueue) => void },
  ) {
    this.pattern = pattern;
    this.#options = options;
    this.#observer = observer;
    this.#onClose = onClose;
    this.#bufferSize = Math.min(MAX_BUFFER_SIZE, Math.max(1, Math.floor(options.bufferSize ?? BUFFER_SIZE)));
    options.signal?.addEventListener("abort", this.close, { once: true });
  }

  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Accepts, drops or delays an envelope (event with routing data). Returns a promise only if the publisher has to
   * wait.
   */
  offer(envelope: Envelope, signal?: AbortSignal): Promise<void> | undefined {
    if (this.#closed) return this.#drop(envelope, "closed");
    if (!this.#wants(envelope)) return undefined;
    // Every read moves delayed envelopes into free buffer space, so no envelope is delayed while there is space.
    if (this.#waiting.size < this.#bufferSize) return this.#take(envelope);
    if (this.#options.keep?.(envelope) === true) return this.#take(envelope);
    switch (this.#options.backpressure) {
      case "drop_oldest":
        return this.#replaceOldest(envelope);
      case "block":
        return this.#park(envelope, signal);
      default:
        return this.#drop(envelope, "buffer_full");
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    const envelope = this.#waiting.shift();
    if (envelope !== undefined) {
      this.#admitParked();
      return Promise.resolve({ done: false, value: envelope });
    }
    if (this.#closed) return Promise.resolve(END);
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  return(): Promise<Result> {
    this.close();
    return Promise.resolve(END);
  }

  readonly close = (): void => {
    this.finish();
    this.#waiting.clear();
  };

  /** Ends the subscription once all buffered envelopes have been read. */
  finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.signal?.removeEventListener("abort", this.close);
    for (const { envelope, settle } of [...this.#parked]) {
      this.#drop(envelope, "closed");
      settle();
    }
    for (let resolve = this.#readers.shift(); resolve !== undefined; resolve = this.#readers.shift()) resolve(END);
    this.#onClose(this);
  }

  #wants(envelope: Envelope): boolean {
    try {
      if (this.#options.predicate?.(envelope) === false) return false;
    } catch {
      this.#drop(envelope, "predicate_failed");
      return false;
    }
    if (this.#options.backpressure !== "sample" || this.#options.keep?.(envelope) === true) return true;
    // Accepted envelopes are evenly distributed instead of random, so that equal events give equal samples.
    this.#sampled += Math.min(1, Math.max(0, this.#options.sampleRate ?? 1));
    if (this.#sampled < 1) {
      this.#drop(envelope, "sampled");
      return false;
    }
    this.#sampled -= 1;
    return true;
  }

  #take(envelope: Envelope): undefined {
    this.#observer.onDeliver?.(envelope, this.pattern);
    const resolve = this.#readers.shift();
    if (resolve === undefined) this.#waiting.push(envelope);
    else resolve({ done: false, value: envelope });
    return undefined;
  }

  #drop(envelope: Envelope, reason: DropReason): undefined {
    this.#dropped += 1;
    this.#observer.onDrop?.(envelope, { pattern: this.pattern, reason });
    return undefined;
  }

  #replaceOldest(envelope: Envelope): undefined {
    const oldest = this.#waiting.removeFirst((candidate) => this.#options.keep?.(candidate) !== true);
    if (oldest === undefined) return this.#drop(envelope, "buffer_full");
    this.#drop(oldest, "buffer_full");
    return this.#take(envelope);
  }

  #park(envelope: Envelope, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const parked: Parked = { envelope, settle: () => leave(resolve) };
      const leave = (settle: () => void): void => {
        this.#parked.delete(parked);
        signal?.removeEventListener("abort", onAbort);
        settle();
      };
      const onAbort = (): void => leave(() => reject(signal === undefined ? undefined : errorOfSignal(signal)));
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#parked.add(parked);
    });
  }

  #admitParked(): void {
    const [parked] = this.#parked;
    if (parked === undefined || this.#waiting.size >= this.#bufferSize) return;
    this.#take(parked.envelope);
    parked.settle();
  }
}
