/** From the status of an outcome to that of a record of the host. agent-runtime-package: host orchestration contract. */
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

/** Statuses of the record of a planned task. `started` occurs in progress only. */
export const RECORD_STATUSES = ["completed", "failed", "missing_record"] as const;

/** How a fan-out can stand. */
export const FANOUT_RUN_STATUSES = ["incomplete", "completed", "failed"] as const;

/** Statuses of an outcome that count as success when records are made. */
export const OUTCOME_SUCCESS_WORDS = ["accepted", "completed", "no_op", "passed", "succeeded", "success"] as const;

/** Words of a record that count as success when a run is reconciled. */
export const RECONCILE_SUCCESS_WORDS = ["completed", "success", "passed"] as const;

/** Tasks of a fan-out that run at once. */
export const FANOUT_CONCURRENCY = { default: 3, maximum: 16 } as const;
