import type { Envelope, Publisher } from "@switchyard/contracts";

/**
 * What happens when a subscription's buffer is full. `drop_newest` drops the new envelope, `drop_oldest` drops the
 * oldest one, and `block` delays the publisher. `sample` accepts only a fraction of all envelopes. See engine:
 * event.Bus.
 */
export type Backpressure = "drop_newest" | "drop_oldest" | "block" | "sample";

/** Why an envelope (event with routing data) that matches a subscription was not delivered. */
export type DropReason = "buffer_full" | "closed" | "sampled" | "predicate_failed";

/** Options for `EventBus.subscribe`. */
export interface SubscriptionOptions {
  /** Maximum number of buffered envelopes. Default: 64. */
  readonly bufferSize?: number | undefined;
  /** What happens when the buffer is full. Default: `drop_newest`. */
  readonly backpressure?: Backpressure | undefined;
  /** Returns true for envelopes to accept. Default: all. */
  readonly predicate?: ((envelope: Envelope) => boolean) | undefined;
  /** Fraction of envelopes that `sample` accepts, from 0 to 1. Default: 1. */
  readonly sampleRate?: number | undefined;
  /** Returns true for envelopes that must not be dropped, even if the buffer is full. */
  readonly keep?: ((envelope: Envelope) => boolean) | undefined;
  /** Ends the subscription when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Envelopes that match a pattern, in publishing order. Leaving the loop closes the subscription. */
export interface Subscription extends AsyncIterable<Envelope> {
  /** Pattern of the subscription. */
  readonly pattern: string;
  /** Number of matching envelopes that were dropped and did not reach the subscriber. */
  readonly dropped: number;
  /** Ends the subscription and discards buffered envelopes. May be called repeatedly. */
  close(): void;
  /** Accepts no more envelopes (events), and ends once the buffered ones have been read. May be called repeatedly. */
  finish(): void;
}

/** Observes a bus. Contract: never calls the bus. */
export interface BusObserver {
  /** Called when an envelope is published. */
  onPublish?(envelope: Envelope): void;
  /** Called when a subscription accepts an envelope. */
  onDeliver?(envelope: Envelope, pattern: string): void;
  /** Called when a subscription drops an envelope. */
  onDrop?(envelope: Envelope, drop: { readonly pattern: string; readonly reason: DropReason }): void;
}

/** Delivers event envelopes to the subscribers whose pattern matches the envelope's subject. See engine: event.Bus. */
export interface EventBus extends Publisher {
  /**
   * Publishes an envelope. Contract: when it resolves, every subscription has accepted or dropped the envelope; failing
   * subscribers do not make it reject. Rejects with `bus.closed` or `subject.invalid`, or with the signal's reason if
   * the signal aborts while the call waits.
   */
  publish(envelope: Envelope, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Subscribes. Throws `pattern.invalid` or `bus.closed`. */
  subscribe(pattern: string, options?: SubscriptionOptions): Subscription;
  /** Ends each subscription once its buffered envelopes (events) are read. May be called repeatedly. */
  close(): void;
}
