/** Run limits that can also be set in a `SessionInput` or in settings files. */
export interface InputLimitOptions {
  /** Maximum number of model turns. */
  maxTurns?: number | undefined;
  /** Time limit of the run, in seconds. */
  timeout?: number | undefined;
  /** Maximum total time to wait between retries of one model turn, in seconds. */
  retryFor?: number | undefined;
}

/** Limits of a whole run, as given on the command line. */
export interface LimitOptions extends InputLimitOptions {
  /** Maximum number of tokens of all model calls together. */
  maxTokens?: number | undefined;
  /** Maximum cost of all model calls together, in millionths of a US dollar. */
  maxCost?: number | undefined;
  /**
   * Maximum number of attempts (executions of the run). A further one follows only after a failure that may be temporary.
   */
  maxAttempts?: number | undefined;
  /** Maximum wait between two attempts, in seconds. */
  maxRetryWait?: number | undefined;
}
