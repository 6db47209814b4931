import { areRetriesExhausted, EngineError, type FailedAttempt, findEngineError } from "@switchyard/contracts";
import type { Ending } from "../result/outcome.ts";
import type { RetryOptions } from "./retry-options.ts";

/** Facts that decide whether an attempt is retried. */
export interface RetryFacts {
  /** How the attempt ended. */
  readonly ending: Ending;
  /** Number of the attempt. */
  readonly attempt: number;
  /** Earlier attempts that failed and were retried. */
  readonly failed: readonly FailedAttempt[];
  /** Retry options of the run. */
  readonly retry: RetryOptions;
  /** Remaining time of the run, in milliseconds. `Infinity` without a limit. */
  readonly remainingMs: number;
  /** Returns a random number from 0 to 1, for the jitter. */
  readonly random: () => number;
}

/**
 * Returns the failed attempt with the wait before its retry. `undefined` if the attempt is not retried: it succeeded,
 * its error is final, the engine has exhausted its own retries, no attempts are left, or the time limit would be
 * reached first. Whether an error can be retried depends only on its kind. See agent-adapter: error kinds.
 */
export async function planRetry(facts: RetryFacts): Promise<FailedAttempt | undefined> {
  const { ending, attempt, failed, retry, remainingMs, random } = facts;
  const tries = failed.length + 1;
  if (ending.kind !== "threw" || tries >= retry.maxAttempts) return undefined;
  const error = findEngineError(ending.error) ?? unknownFailure(ending.error);
  const { mayRetry, retryDelayMs } = await import("@switchyard/adapter-kit");
  if (!mayRetry(error) || (areRetriesExhausted(error) && retry.retriesExhausted !== true)) return undefined;
  const delayMs = Math.min(retryDelayMs(tries, random), retry.maxDelayMs ?? Number.POSITIVE_INFINITY);
  return delayMs < remainingMs ? { attempt, error: error.toWire(), delayMs } : undefined;
}

/**
 * Returns the number of remaining attempts that are skipped because the engine has exhausted its own retries of the
 * failed call. 0 otherwise.
 */
export async function skippedAttempts({ ending, failed, retry }: RetryFacts): Promise<number> {
  if (ending.kind !== "threw" || retry.retriesExhausted === true) return 0;
  const error = findEngineError(ending.error);
  const { mayRetry } = await import("@switchyard/adapter-kit");
  if (error === undefined || !areRetriesExhausted(error) || !mayRetry(error)) return 0;
  return Math.max(0, retry.maxAttempts - failed.length - 1);
}

function unknownFailure(cause: unknown): EngineError {
  return new EngineError("engine.failed", { engine: "of the run", problem: "it gave no reason" }, { cause });
}
