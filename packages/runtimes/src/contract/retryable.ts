import type { FailureClassification, OutcomeStatus } from "./vocabulary.ts";

/** Outcome statuses after which a retry may succeed. */
const RETRYABLE_STATUSES: readonly OutcomeStatus[] = ["timeout", "cancelled"];

/** Failure classifications after which a retry may succeed. */
export const RETRYABLE_CLASSIFICATIONS = ["transient", "timeout", "stalled", "rate_limited"] as const;

/**
 * Returns true if a retry of the same request may succeed. Used for outcomes that do not set `retryable`. See
 * agent-runtime-package: outcome and diagnostic contracts.
 */
export function isRetryable(status: OutcomeStatus, classification: FailureClassification | string): boolean {
  return (
    RETRYABLE_STATUSES.includes(status) || RETRYABLE_CLASSIFICATIONS.some((retryable) => retryable === classification)
  );
}
