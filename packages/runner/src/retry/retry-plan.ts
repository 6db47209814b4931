import { areRetriesExhausted, EngineError, type FailedAttempt, findEngineError } from "@switchyard/contracts";
import type { Ending } from "../result/outcome.ts";
import type { RetryOptions } from "./retry-options.ts";

/** What decides whether an attempt is followed by another one. */
export interface RetryFacts {
  /** How the attempt ended. */
  readonly ending: Ending;
  /** Number of the attempt. */
  readonly attempt: number;
  /** Attempts that failed before it and were tried again. */
  readonly failed: readonly FailedAttempt[];
  /** How often it is tried. */
  readonly retry: RetryOptions;
  /** Time that is left to the run, in milliseconds; endless without a limit. */
  readonly leftMs: number;
  /** Chance between 0 and 1, for the wait. */
  readonly random: () => number;
}

/**
 * The wait before the next try and what the last one failed with; nothing where there is none: it did not fail, the
 * kind of its error is final, the agent has retried it to its end, there were tries enough, or its time would be over
 * first. The kind of the error alone says whether it may be tried again. agent-adapter: error kinds.
 */
export async function planRetry(facts: RetryFacts): Promise<FailedAttempt | undefined> {
  const { ending, attempt, failed, retry, leftMs, random } = facts;
  const tries = failed.length + 1;
  if (ending.kind !== "threw" || tries >= retry.maxAttempts) return undefined;
  const error = findEngineError(ending.error) ?? unknownFailure(ending.error);
  const { mayRetry, retryDelayMs } = await import("@switchyard/adapter-kit");
  if (!mayRetry(error) || (areRetriesExhausted(error) && retry.retriesExhausted !== true)) return undefined;
  const delayMs = Math.min(retryDelayMs(tries, random), retry.maxDelayMs ?? Number.POSITIVE_INFINITY);
  return delayMs < leftMs ? { attempt, error: error.toWire(), delayMs } : undefined;
}

/**
 * Number of tries that are left after a failure that the engine has retried to its end, and that is not tried again for
 * that reason alone; 0 otherwise.
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
