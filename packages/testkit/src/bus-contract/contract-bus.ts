import type { Envelope, Publisher } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** Subscription options that the conformance cases use. See engine: event.Bus. */
export interface ContractSubscriptionOptions {
  /** Maximum number of waiting envelopes. Default: 64. */
  readonly bufferSize?: number | undefined;
  /** Behaviour when the buffer is full. Default: `drop_newest`. */
  readonly backpressure?: "drop_newest" | "drop_oldest" | "block" | "sample" | undefined;
  /** Filter: the subscription accepts only envelopes for which this function returns true. */
  readonly predicate?: ((envelope: Envelope) => boolean) | undefined;
  /** Fraction of envelopes that the backpressure mode `sample` accepts, from 0 to 1. */
  readonly sampleRate?: number | undefined;
  /** Returns whether an envelope must never be dropped. */
  readonly keep?: ((envelope: Envelope) => boolean) | undefined;
  /** Signal that ends the subscription when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Members of an event bus subscription that the conformance cases use. See engine: event.Bus. */
export interface ContractSubscription extends AsyncIterable<Envelope> {
  /** Number of matching envelopes that were dropped. */
  readonly dropped: number;
  /** Ends the subscription and discards waiting envelopes. */
  close(): void;
}

/** Observer of a bus. See engine: event.Bus. */
export interface ContractBusObserver {
  /** Called when an envelope is published. */
  onPublish?(envelope: Envelope): void;
  /** Called when a subscription accepts an envelope. */
  onDeliver?(envelope: Envelope, pattern: string): void;
  /** Called when a subscription drops an envelope. */
  onDrop?(envelope: Envelope, drop: { readonly pattern: string; readonly reason: string }): void;
}

/** Members of an event bus that the conformance cases use. See engine: event.Bus. */
export interface ContractBus extends Publisher {
  /** Publishes an envelope. Waits only for subscriptions whose backpressure mode is `block`. */
  publish(envelope: Envelope, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Subscribes to a pattern. */
  subscribe(pattern: string, options?: ContractSubscriptionOptions): ContractSubscription;
  /** Closes the bus. Each subscription ends after its waiting envelopes are read. */
  close(): void;
}

/** Creates a bus. */
export type BusFactory = (options?: { readonly observer?: ContractBusObserver | undefined }) => Eventually<ContractBus>;

/** Buses for the cases. */
export interface BusSubject {
  /** Creates another bus. */
  create(observer?: ContractBusObserver): Promise<ContractBus>;
  /** Closes all buses. */
  dispose(): void;
}

/** Prepares the event bus under test, which a factory creates. */
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
