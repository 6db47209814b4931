import type { FailedAttempt } from "@switchyard/contracts";

/** Counts the attempts of a run and records failed attempts. */
export interface AttemptCount {
  /** Number of the current attempt. The attempt's events contain the same number. */
  readonly current: number;
  /** Whether this is the first attempt of the run. */
  readonly isFirst: boolean;
  /** Attempts that failed and were retried, in order. */
  readonly failed: readonly FailedAttempt[];
  /** Adds the current attempt, which will be retried, to the failed attempts. */
  fail(failed: FailedAttempt): void;
  /** Starts the next attempt. */
  next(): void;
}

/** Creates the counter of a session that starts with attempt `first`, after the given failed attempts. */
export function createAttemptCount(first: number, earlier: readonly FailedAttempt[]): AttemptCount {
  let current = first;
  const failed = [...earlier];
  return {
    get current() {
      return current;
    },
    get isFirst() {
      return current === 1;
    },
    failed,
    fail: (attempt) => {
      failed.push(attempt);
    },
    next: () => {
      current += 1;
    },
  };
}
