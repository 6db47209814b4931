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
function askedDelayMs(error: unknown): number | undefined {
  const asked = EngineError.is(error) ? error.details["retryAfterMs"] : undefined;
  return typeof asked === "number" && asked >= 0 ? asked : undefined;
}

/**
 * Returns the wait before the next attempt, in milliseconds; `undefined` if the policy allows no further retry. The
 * caller decides whether the failure is retryable.
 */
export function retryDelayMs(error: unknown, facts: RetryFacts, policy: FullRetryPolicy): number | undefined {
  const { attempt, waitedMs, random } = facts;
  const leftMs = policy.maxTotalDelayMs - waitedMs;
  if (attempt > policy.retries || leftMs <= 0) return undefined;
  const asked = askedDelayMs(error);
  const isBounded = Number.isFinite(policy.maxTotalDelayMs);
  if (asked !== undefined && asked > (isBounded ? leftMs : policy.maxDelayMs)) return undefined;
  const spread = 1 + policy.jitter * (2 * random - 1);
  const backoff = Math.round(Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1) * spread));
  if (asked === undefined) return Math.min(leftMs, backoff);
  // A minimum wait is enforced. A server that always sends `Retry-After: 0` would otherwise be called in a tight loop.
  return isBounded ? Math.min(leftMs, Math.max(asked, Math.min(policy.baseDelayMs, backoff))) : asked;
}
