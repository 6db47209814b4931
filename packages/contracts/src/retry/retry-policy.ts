/**
 * Retry policy of one level. There are three levels: the client retries calls, the agent loop retries turns, and the
 * runner retries attempts of a run. `RETRY_DEFAULTS` has the defaults of each.
 */
export interface RetryPolicy {
  /** Maximum number of retries after the first attempt. */
  retries?: number | undefined;
  /** Wait before the first retry, in milliseconds; doubled for each further retry. */
  baseDelayMs?: number | undefined;
  /**
   * Maximum wait before one retry, in milliseconds. If `maxTotalDelayMs` is finite, a provider's `Retry-After` may
   * exceed this maximum.
   */
  maxDelayMs?: number | undefined;
  /**
   * Maximum total wait of all retries, in milliseconds. 0 disables retries. If a provider's `Retry-After` exceeds the
   * rest of this total, the call fails immediately. If the total is infinite, `maxDelayMs` limits `Retry-After`
   * instead.
   */
  maxTotalDelayMs?: number | undefined;
  /** Maximum random deviation of the wait before a retry, as a fraction of that wait. */
  jitter?: number | undefined;
  /** True to retry a failure even if the level below has already used up its own retries of that failure. */
  retriesExhausted?: boolean | undefined;
}

/** A retry policy with sources of time and randomness. */
export interface RetryOptions extends RetryPolicy {
  /** Returns a random number from 0 to 1. Default: `Math.random`. */
  random?: (() => number) | undefined;
  /** Waits, or rejects as soon as the signal aborts. Default: a timer. */
  delay?: ((delayMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** A retry policy with all defaults filled in. */
export type FullRetryPolicy = { readonly [K in keyof RetryPolicy]-?: NonNullable<RetryPolicy[K]> };

/** What is retried: a model call, a turn of the agent loop, or an attempt to execute a run. */
export type RetryLevel = "call" | "turn" | "attempt";

/**
 * Default retry policies:
 * - `call`: a model call. Used by `withRetry` and the model gateway.
 * - `turn`: a turn of the built-in agent, which retries turns instead of calls.
 * - `attempt`: an attempt to execute a run. Without `maxAttempts`, it is not retried.
 */
export const RETRY_DEFAULTS: Readonly<Record<RetryLevel, FullRetryPolicy>> = {
  call: {
    retries: 2,
    baseDelayMs: 1_000,
    maxDelayMs: 60_000,
    maxTotalDelayMs: Number.POSITIVE_INFINITY,
    jitter: 0.5,
    retriesExhausted: false,
  },
  turn: {
    retries: Number.POSITIVE_INFINITY,
    baseDelayMs: 1_000,
    maxDelayMs: 60_000,
    maxTotalDelayMs: 600_000,
    jitter: 0.5,
    retriesExhausted: false,
  },
  attempt: {
    retries: 0,
    baseDelayMs: 10_000,
    maxDelayMs: 300_000,
    maxTotalDelayMs: Number.POSITIVE_INFINITY,
    jitter: 0.5,
    retriesExhausted: false,
  },
};

/** Returns the retry policy of a level (`call`, `turn` or `attempt`) with all defaults filled in. */
export function toRetryPolicy(level: RetryLevel, policy: RetryPolicy = {}): FullRetryPolicy {
  const defaults = RETRY_DEFAULTS[level];
  return {
    retries: policy.retries ?? defaults.retries,
    baseDelayMs: policy.baseDelayMs ?? defaults.baseDelayMs,
    maxDelayMs: policy.maxDelayMs ?? defaults.maxDelayMs,
    maxTotalDelayMs: policy.maxTotalDelayMs ?? defaults.maxTotalDelayMs,
    jitter: policy.jitter ?? defaults.jitter,
    retriesExhausted: policy.retriesExhausted ?? defaults.retriesExhausted,
  };
}
