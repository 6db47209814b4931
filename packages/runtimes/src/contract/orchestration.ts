/**
 * Maps the status of a task outcome to the status of the task record. The provider returns the outcome, and the host
 * stores the record. See agent-runtime-package: host orchestration contract.
 */
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

/** Statuses of the record that is stored for a task of a fan-out. `started` occurs only while the fan-out runs. */
export const RECORD_STATUSES = ["completed", "failed", "missing_record"] as const;

/** Statuses of a fan-out. */
export const FANOUT_RUN_STATUSES = ["incomplete", "completed", "failed"] as const;

/** Outcome statuses that make the record of a task count as successful. */
export const OUTCOME_SUCCESS_WORDS = ["accepted", "completed", "no_op", "passed", "succeeded", "success"] as const;

/** Statuses of task records that count as success when the records of a fan-out are compared with its plan. */
export const RECONCILE_SUCCESS_WORDS = ["completed", "success", "passed"] as const;

/** Number of tasks of a fan-out that run concurrently: the default, and the highest number that can be configured. */
export const FANOUT_CONCURRENCY = { default: 3, maximum: 16 } as const;
