import type { Envelope, Publisher } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** How a subscription is asked for: what the cases use of it. engine: event.Bus. */
export interface ContractSubscriptionOptions {
  /** Most envelopes that wait to be read; 64 by default. */
  readonly bufferSize?: number | undefined;
  /** What happens when that many wait; `drop_newest` by default. */
  readonly backpressure?: "drop_newest" | "drop_oldest" | "block" | "sample" | undefined;
  /** Takes only envelopes for which it is true. */
  readonly predicate?: ((envelope: Envelope) => boolean) | undefined;
  /** Part of the envelopes that `sample` takes, 0 to 1. */
  readonly sampleRate?: number | undefined;
  /** Envelopes that are never dropped. */
  readonly keep?: ((envelope: Envelope) => boolean) | undefined;
  /** Ends the subscription when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** A subscription: what the cases use of it. engine: event.Bus. */
export interface ContractSubscription extends AsyncIterable<Envelope> {
  /** How many matching envelopes did not reach it. */
  readonly dropped: number;
  /** Ends it; what still waits is given up. */
  close(): void;
}

/** Told of everything a bus does. engine: event.Bus. */
export interface ContractBusObserver {
  /** An envelope was published. */
  onPublish?(envelope: Envelope): void;
  /** A subscription took it. */
  onDeliver?(envelope: Envelope, pattern: string): void;
  /** A subscription did not take it. */
  onDrop?(envelope: Envelope, drop: { readonly pattern: string; readonly reason: string }): void;
}

/** A bus: what the cases use of it. engine: event.Bus. */
export interface ContractBus extends Publisher {
  /** Publishes; waits only where a subscription asked to block. */
  publish(envelope: Envelope, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Subscribes to a pattern. */
  subscribe(pattern: string, options?: ContractSubscriptionOptions): ContractSubscription;
  /** Ends all subscriptions, once they have read what waits for them. */
  close(): void;
}

/** Makes a bus. */
export type BusFactory = (options?: { readonly observer?: ContractBusObserver | undefined }) => Eventually<ContractBus>;

/** Buses as the cases get them. */
export interface BusSubject {
  /** Makes one more bus. */
  create(observer?: ContractBusObserver): Promise<ContractBus>;
  /** Closes all of them. */
  dispose(): void;
}

/** The subject of a factory. */
export async function openBusSubject(factory: BusFactory): Promise<BusSubject> {
  const buses: ContractBus[] = [];
  return {
    async create(observer) {
      const bus = await factory(observer === undefined ? {} : { observer });
      buses.push(bus);
      return bus;
    },
    dispose() {
      for (const bus of buses) bus.close();
    },
  };
}
