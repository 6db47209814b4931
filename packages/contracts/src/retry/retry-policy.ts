/**
 * How one level retries. Three levels do: the client retries calls, the agent loop retries turns, the runner retries
 * attempts of a run. `RETRY_DEFAULTS` has the defaults of each.
 */
export interface RetryPolicy {
  /** Maximum number of retries after the first try. */
  retries?: number | undefined;
  /** Wait before the first retry, doubled for each further one, in milliseconds. */
  baseDelayMs?: number | undefined;
  /** Longest wait before one retry, in milliseconds. */
  maxDelayMs?: number | undefined;
  /**
   * Longest total wait of all retries, in milliseconds. 0 switches retries off. A provider's `Retry-After` is obeyed up
   * to the rest of it; without a total, up to `maxDelayMs`. A longer one fails at once.
   */
  maxTotalDelayMs?: number | undefined;
  /** Largest random deviation of a wait, as a share of it. */
  jitter?: number | undefined;
  /** Whether to retry a failure that the level below has already retried to its end. */
  retriesExhausted?: boolean | undefined;
}

/** A retry policy, and what it takes its waits and its chance from. */
export interface RetryOptions extends RetryPolicy {
  /** Random number from 0 to 1; default the system's. */
  random?: (() => number) | undefined;
  /** Waits, or rejects as soon as the signal aborts; default a timer. */
  delay?: ((delayMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** A policy with every default filled in. */
export type FullRetryPolicy = { readonly [K in keyof RetryPolicy]-?: NonNullable<RetryPolicy[K]> };

/** Levels that retry. */
export type RetryLevel = "call" | "turn" | "attempt";

/**
 * Defaults of each level. A call is retried by `withRetry` where the caller uses it; the built-in agent leaves that to
 * turns. Attempts are retried only where their number is given (`maxAttempts`).
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

/** The policy of a level with its defaults filled in. */
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
