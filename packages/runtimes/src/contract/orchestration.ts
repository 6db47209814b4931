/** Record status for each outcome status. agent-runtime-package: host orchestration contract. */
export const RECORD_STATUS_OF_OUTCOME = {
  succeeded: "completed",
  no_op: "completed",
  unable_to_remediate: "failed",
  provider_error: "failed",
  timeout: "failed",
  candidate_recoverable: "failed",
  failed: "failed",
  follow_up_issue: "failed",
  cancelled: "failed",
} as const;

/** Statuses of a task record. `started` occurs only while a fan-out runs. */
export const RECORD_STATUSES = ["completed", "failed", "missing_record"] as const;

/** Statuses of a fan-out. */
export const FANOUT_RUN_STATUSES = ["incomplete", "completed", "failed"] as const;

/** Outcome statuses that count as success when records are created. */
export const OUTCOME_SUCCESS_WORDS = ["accepted", "completed", "no_op", "passed", "succeeded", "success"] as const;

/** Record statuses that count as success when a run is reconciled. */
export const RECONCILE_SUCCESS_WORDS = ["completed", "success", "passed"] as const;

/** Number of concurrent tasks of a fan-out. */
export const FANOUT_CONCURRENCY = { default: 3, maximum: 16 } as const;
