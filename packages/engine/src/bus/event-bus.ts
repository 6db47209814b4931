import type { Envelope, Publisher } from "@switchyard/contracts";

/**
 * What happens to an envelope that finds a subscription full: it is dropped, the oldest one is dropped for it, the
 * publisher waits, or, by `sample`, only a part of all envelopes is taken in the first place. engine: event.Bus.
 */
export type Backpressure = "drop_newest" | "drop_oldest" | "block" | "sample";

/** Why an envelope did not reach a subscription whose pattern it matches. */
export type DropReason = "buffer_full" | "closed" | "sampled" | "predicate_failed";

/** How a subscription takes what it gets. */
export interface SubscriptionOptions {
  /** Most envelopes that wait to be read; 64 by default. */
  readonly bufferSize?: number | undefined;
  /** What happens when that many wait; `drop_newest` by default. */
  readonly backpressure?: Backpressure | undefined;
  /** Takes only envelopes for which it is true. */
  readonly predicate?: ((envelope: Envelope) => boolean) | undefined;
  /** Part of the envelopes that `sample` takes, 0 to 1; 1 by default. */
  readonly sampleRate?: number | undefined;
  /** Envelopes that are never dropped, even when that many wait. */
  readonly keep?: ((envelope: Envelope) => boolean) | undefined;
  /** Ends the subscription when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** The envelopes that match a pattern, in the order of their publishing. Leaving the loop closes it. */
export interface Subscription extends AsyncIterable<Envelope> {
  /** What it asked for. */
  readonly pattern: string;
  /** How many matching envelopes did not reach it. */
  readonly dropped: number;
  /** Ends it; what still waits is given up. Can be repeated. */
  close(): void;
  /** Ends it once what waits has been read; nothing more is taken. Can be repeated. */
  finish(): void;
}

/** Is told of everything a bus does. Contract: never calls the bus. */
export interface BusObserver {
  /** An envelope was published. */
  onPublish?(envelope: Envelope): void;
  /** A subscription took it. */
  onDeliver?(envelope: Envelope, pattern: string): void;
  /** A subscription did not take it. */
  onDrop?(envelope: Envelope, drop: { readonly pattern: string; readonly reason: DropReason }): void;
}

/** Carries envelopes to subscribers by subject. engine: event.Bus. */
export interface EventBus extends Publisher {
  /**
   * Publishes. Contract: when it resolves, every subscription has taken or dropped the envelope; a failing subscriber
   * is no failure. Rejects with `bus.closed`, `subject.invalid`, or by the signal's reason while it has to wait.
   */
  publish(envelope: Envelope, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Subscribes. Throws `pattern.invalid` or `bus.closed`. */
  subscribe(pattern: string, options?: SubscriptionOptions): Subscription;
  /** Ends all subscriptions, once they have read what waits for them. Can be repeated. */
  close(): void;
}
