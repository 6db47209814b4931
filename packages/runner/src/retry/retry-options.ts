/** How often a run is tried by itself when it fails on the way. agent-adapter: error kinds. */
export interface RetryOptions {
  /**
   * Most tries of the run, the first one included. An attempt that goes on after the death of its process is the same
   * try.
   */
  readonly maxAttempts: number;
  /** Longest wait between two tries, in milliseconds; the kit's five minutes by default. */
  readonly maxDelayMs?: number | undefined;
}
