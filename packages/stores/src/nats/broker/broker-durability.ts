/** Durability of an acknowledged write. For `power`, the monitoring URLs that prove it. */
export type BrokerDurability =
  | "process"
  | {
      /** Monitoring URL of each server of the cluster, such as `http://127.0.0.1:8222`. */
      readonly power: readonly string[];
    };
