import { EngineError, RETRY_DEFAULTS } from "@switchyard/contracts";

const { baseDelayMs: FIRST_DELAY_MS, maxDelayMs: MAX_DELAY_MS } = RETRY_DEFAULTS.attempt;

/**
 * Milliseconds to wait after attempt number `attempt` (from 1): doubled each time, up to five minutes. With a source of
 * chance between 0 and 1 it is between half of that and the whole, so that many runs do not come back at once.
 * agent-adapter: error kinds.
 */
export function retryDelayMs(attempt: number, random?: () => number): number {
  const doublings = Math.min(Math.max(0, attempt - 1), 10);
  const whole = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** doublings);
  return random === undefined ? whole : Math.round(whole / 2 + (whole / 2) * Math.min(1, Math.max(0, random())));
}

/** Whether a turn that failed so may be tried again; the kind of the error alone decides. Errors of no known kind may. */
export function mayRetry(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable : true;
}
