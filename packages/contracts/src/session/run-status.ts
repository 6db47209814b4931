/**
 * State of a run. `failed` is a valid result with a non-zero exit code (kept); `error` means that there is no
 * valid result.
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

/** The states of a run that nobody works on. */
export const TERMINAL_RUN_STATUSES: readonly RunStatus[] = [
  "completed",
  "failed",
  "error",
  "interrupted",
  "cancelled",
  "timed_out",
];

/** The states in which a run can be resumed once no writer works on it: it was cut off, stopped, or failed on the way. */
export const RESUMABLE_RUN_STATUSES: readonly RunStatus[] = [
  "queued",
  "running",
  "awaiting_input",
  "error",
  "interrupted",
  "timed_out",
];
