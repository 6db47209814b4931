import type { RetryPolicy } from "@switchyard/contracts";

/**
 * Automatic retries of a failed run. A model failure for which the agent has exhausted its own retries is final unless
 * `retriesExhausted` is set. See agent-adapter: error kinds.
 */
export interface RetryOptions extends Pick<RetryPolicy, "maxDelayMs" | "retriesExhausted"> {
  /**
   * Maximum number of attempts, including the first. A resume after a process crash does not count as a further
   * attempt.
   */
  readonly maxAttempts: number;
}
