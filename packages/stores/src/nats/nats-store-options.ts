import type { Owner } from "@switchyard/process-owner";
import type { StoreTimer } from "../owner/store-timer.ts";
import type { BrokerDurability } from "./broker/broker-durability.ts";
import type { BrokerOptions } from "./broker/broker-options.ts";

/** Options for `openNatsStore`. */
export interface NatsStoreOptions extends BrokerOptions {
  /**
   * Prefix in the names of the store's streams and subjects. Stores with the same prefix share their runs. Default:
   * `switchyard`.
   */
  readonly name?: string | undefined;
  /** Folder, on this machine or a shared drive, that contains a folder for each run's files, such as artifacts. */
  readonly filesDirectory: string;
  /** Number of copies of each stream in a NATS cluster, set when the streams are created. Default: 1. */
  readonly replicas?: number | undefined;
  /**
   * Failures that an acknowledged write survives. `process` (default): the end of this process and of the broker.
   * `power`: also a power failure; the store then checks that the broker flushes each message to disk.
   */
  readonly durability?: BrokerDurability | undefined;
  /**
   * Identity of this process in leases. Other writers use it to check whether this process is alive. Default: the
   * identity of the process that opens the store.
   */
  readonly owner?: Owner | undefined;
  /** Clock and timers. Default: the system's monotonic clock. */
  readonly timer?: StoreTimer | undefined;
  /** Time without a heartbeat after which another process may take over a run, in milliseconds. Default: 10,000. */
  readonly leaseMs?: number | undefined;
}
