/** What an acknowledged write outlives, and for `power` where the broker says so: addresses of its monitoring. */
export type BrokerDurability =
  | "process"
  | {
      /** Monitoring address of each server of the cluster, such as `http://127.0.0.1:8222`. */
      readonly power: readonly string[];
    };
