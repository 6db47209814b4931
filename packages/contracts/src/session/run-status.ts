/**
 * Status of a run. `failed`: the engine returned a valid result with a non-zero exit code. `error`: there is no valid
 * result.
 */
export type RunStatus =
  | "queued"
  | "running"
  | "awaiting_input"
  | "completed"
  | "failed"
  | "error"
  | "interrupted"
  | "cancelled"
  | "timed_out";

/** Statuses of runs that have ended. */
export const TERMINAL_RUN_STATUSES: readonly RunStatus[] = [
  "completed",
  "failed",
  "error",
  "interrupted",
  "cancelled",
  "timed_out",
];

/** Statuses of runs that can be resumed if no process is working on them. */
export const RESUMABLE_RUN_STATUSES: readonly RunStatus[] = [
  "queued",
  "running",
  "awaiting_input",
  "error",
  "interrupted",
  "timed_out",
];
