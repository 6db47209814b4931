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

/** The states a run never leaves. */
export const TERMINAL_RUN_STATUSES: readonly RunStatus[] = [
  "completed",
  "failed",
  "error",
  "interrupted",
  "cancelled",
  "timed_out",
];
