import { EngineError } from "@switchyard/contracts";

/** How often and how long `withRetry` tries. unified-llm-client: withRetry. */
export interface RetryOptions {
  /** Further attempts after the first; default 2. */
  retries?: number | undefined;
  /** Wait before the first retry, doubled for each further one; default 1,000 ms. */
  baseDelayMs?: number | undefined;
  /** Longest wait; a provider that asks for more is not waited for. Default 60,000 ms. */
  maxDelayMs?: number | undefined;
  /** Largest deviation of a wait, as a part of it; default 0.5. */
  jitter?: number | undefined;
  /** Random number from 0 to 1; default the system's. */
  random?: (() => number) | undefined;
  /** Waits, or rejects as soon as the signal aborts; default a timer. */
  delay?: ((delayMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** The options with every default filled in. */
export type RetryPolicy = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> };

/** A timer that is set for longer runs at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(new EngineError("llm.aborted", {}, { cause: signal?.reason }));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.min(delayMs, LONGEST_TIMER_MS),
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Fills in the defaults. */
export function toRetryPolicy(options: RetryOptions): RetryPolicy {
  return {
    retries: options.retries ?? 2,
    baseDelayMs: options.baseDelayMs ?? 1_000,
    maxDelayMs: options.maxDelayMs ?? 60_000,
    jitter: options.jitter ?? 0.5,
    random: options.random ?? Math.random,
    delay: options.delay ?? wait,
  };
}

/** Whether the same call may succeed later; of a failure that is not known, one may hope so. */
function isRetryable(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable : true;
}

function askedDelayMs(error: unknown): number | undefined {
  const asked = EngineError.is(error) ? error.details["retryAfterMs"] : undefined;
  return typeof asked === "number" && asked >= 0 ? asked : undefined;
}

/** How long to wait after a failed attempt (1-based), in milliseconds; undefined when it is to be raised. */
export function retryDelayMs(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt > policy.retries || !isRetryable(error)) return undefined;
  const asked = askedDelayMs(error);
  if (asked !== undefined) return asked > policy.maxDelayMs ? undefined : asked;
  const spread = 1 + policy.jitter * (2 * policy.random() - 1);
  return Math.round(Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1) * spread));
}
