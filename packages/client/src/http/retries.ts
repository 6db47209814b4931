import { ServerProblem } from "./server-problem.ts";

/** Retry settings for failed requests. */
export interface Retries {
  /** Maximum number of retries of a request, and of consecutive stream connections without events. */
  readonly maxRetries: number;
  /** Waits for a number of milliseconds. Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
}

const FIRST_MS = 250;
const CAP_MS = 30_000;

/**
 * Returns the delay before a retry, in milliseconds: exponential backoff with jitter, but at least the delay that the
 * server requested. Both are limited to a maximum.
 */
export function retryDelayMs(tries: number, error: unknown, { random }: Pick<Retries, "random">): number {
  const asked = error instanceof ServerProblem ? error.retryAfterMs : undefined;
  const longest = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(tries - 1, 10));
  const own = longest * (0.5 + random() / 2);
  return Math.max(own, Math.min(asked ?? 0, CAP_MS));
}

/** Waits for a number of milliseconds. Rejects with the signal's reason. */
export async function pause(ms: number, { sleep }: Pick<Retries, "sleep">, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await sleep(ms, signal);
  signal?.throwIfAborted();
}

/** Default of `pause`: waits with a timer. */
export function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
