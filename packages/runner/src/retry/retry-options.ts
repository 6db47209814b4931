import type { RetryPolicy } from "@switchyard/contracts";

/**
 * How often a run is tried by itself when it fails on the way. A failure that the agent has retried to its end, turn by
 * turn, is not tried again unless `retriesExhausted` is set. agent-adapter: error kinds.
 */
export interface RetryOptions extends Pick<RetryPolicy, "maxDelayMs" | "retriesExhausted"> {
  /**
   * Most tries of the run, the first one included. An attempt that goes on after the death of its process is the same
   * try.
   */
  readonly maxAttempts: number;
}
