import type { FailureClassification, OutcomeStatus } from "./vocabulary.ts";

/** Statuses after which the same request may succeed. */
const RETRYABLE_STATUSES: readonly OutcomeStatus[] = ["timeout", "cancelled"];

/** Failures after which the same request may succeed. */
export const RETRYABLE_CLASSIFICATIONS = ["transient", "timeout", "stalled", "rate_limited"] as const;

/**
 * Returns whether the same request may succeed when it is sent again, for outcomes that do not say it themselves.
 * agent-runtime-package: outcome and diagnostic contracts.
 */
export function isRetryable(status: OutcomeStatus, classification: FailureClassification | string): boolean {
  return (
    RETRYABLE_STATUSES.includes(status) || RETRYABLE_CLASSIFICATIONS.some((retryable) => retryable === classification)
  );
}
