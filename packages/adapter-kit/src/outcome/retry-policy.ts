import { EngineError, RETRY_DEFAULTS } from "@switchyard/contracts";

const { baseDelayMs: FIRST_DELAY_MS, maxDelayMs: MAX_DELAY_MS } = RETRY_DEFAULTS.attempt;

/**
 * Returns the wait after attempt number `attempt` (1-based), in milliseconds. It doubles with each attempt, up to five
 * minutes. With `random`, the wait is a random value between half of this time and all of it, so that many runs do not
 * retry at the same time. See agent-adapter: error kinds.
 */
export function retryDelayMs(attempt: number, random?: () => number): number {
  const doublings = Math.min(Math.max(0, attempt - 1), 10);
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** doublings);
  return random === undefined ? delayMs : Math.round(delayMs / 2 + (delayMs / 2) * Math.min(1, Math.max(0, random())));
}

/** Returns true if a failed turn may be retried, judged by the error's code. Unknown errors may be retried. */
export function mayRetry(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable : true;
}
