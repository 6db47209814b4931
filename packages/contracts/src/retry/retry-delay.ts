import { EngineError } from "../errors/engine-error.ts";
import type { FullRetryPolicy } from "./retry-policy.ts";

/** Inputs from which a retry delay is computed, in addition to the policy. */
export interface RetryFacts {
  /** 1-based number of the attempt that failed. */
  readonly attempt: number;
  /** Total wait before earlier retries, in milliseconds. */
  readonly waitedMs: number;
  /** Random number from 0 to 1. */
  readonly random: number;
}

/** Returns the wait that a provider requested (`Retry-After`), in milliseconds. */
function requestedDelayMs(error: unknown): number | undefined {
  const requested = EngineError.is(error) ? error.details["retryAfterMs"] : undefined;
  return typeof requested === "number" && requested >= 0 ? requested : undefined;
}

/**
 * Returns the wait before the next attempt, in milliseconds; `undefined` if the policy allows no further retry. The
 * caller decides whether the failure is retryable.
 */
export function retryDelayMs(error: unknown, facts: RetryFacts, policy: FullRetryPolicy): number | undefined {
  const { attempt, waitedMs, random } = facts;
  const remainingMs = policy.maxTotalDelayMs - waitedMs;
  if (attempt > policy.retries || remainingMs <= 0) return undefined;
  const requested = requestedDelayMs(error);
  const isBounded = Number.isFinite(policy.maxTotalDelayMs);
  if (requested !== undefined && requested > (isBounded ? remainingMs : policy.maxDelayMs)) return undefined;
  const spread = 1 + policy.jitter * (2 * random - 1);
  const backoff = Math.round(Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1) * spread));
  if (requested === undefined) return Math.min(remainingMs, backoff);
  // A minimum wait is enforced. A server that always sends `Retry-After: 0` would otherwise be called in a tight loop.
  return isBounded ? Math.min(remainingMs, Math.max(requested, Math.min(policy.baseDelayMs, backoff))) : requested;
}
