import type { FailedAttempt } from "@switchyard/contracts";

/** Which attempt of a run this is, and which failed before it. */
export interface AttemptCount {
  /** Number of the attempt under way, as its events carry it. */
  readonly current: number;
  /** Whether the engine begins the run now: nothing of it was tried before. */
  readonly isFirst: boolean;
  /** Attempts that failed and were tried again, in order. */
  readonly failed: readonly FailedAttempt[];
  /** Notes that the attempt under way failed and is tried again. */
  fail(failed: FailedAttempt): void;
  /** Begins the next attempt. */
  next(): void;
}

/** Makes the count of a session that begins with attempt number `first`, behind these. */
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
