/** Run limits that can also be set in a `SessionInput` or in settings files. */
export interface InputLimitOptions {
  /** Maximum number of model turns. */
  maxTurns?: number | undefined;
  /** Time limit of the run, in seconds. */
  timeout?: number | undefined;
  /** Maximum total time to wait between retries of one model turn, in seconds. */
  retryFor?: number | undefined;
}
