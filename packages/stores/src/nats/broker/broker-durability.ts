/**
 * Failures that an acknowledged write survives. `process`: this process or the broker ends. `power`: the power fails
 * too. For `power`, monitoring URLs of the servers are needed, to check that they flush each message to disk.
 */
export type BrokerDurability =
  | "process"
  | {
      /** Monitoring URL of each server of the cluster, such as `http://127.0.0.1:8222`. */
      readonly power: readonly string[];
    };
