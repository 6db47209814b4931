import type { RunStore } from "@switchyard/contracts";
import { createNatsStore, openStoreContext } from "./nats-run-store.ts";
import type { NatsStoreOptions } from "./nats-store-options.ts";

/**
 * Opens a store of runs on a NATS server with JetStream, for several machines. Every process that can connect to the
 * broker sees all runs, and each run has exactly one writer. Requires the packages `@nats-io/transport-node` and
 * `@nats-io/jetstream`. Rejects with `store.driver_missing`, `config.invalid`, `broker.unreachable` or
 * `broker.not_durable`. See engine: CheckpointStore; durability promises D1 to D8.
 */
export async function openNatsStore(options: NatsStoreOptions): Promise<RunStore> {
  return createNatsStore(await openStoreContext(options), options);
}
