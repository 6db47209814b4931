import type { SessionReport } from "@switchyard/contracts";
import { errorRow, isErrorCode } from "@switchyard/contracts";

/**
 * Returns the exit code for the outcome of a run. 0: completed; 1: task failed; 2: the engine could not start; 3:
 * incomplete; 130: interrupted. See the table `EXIT_CODES`.
 */
export function exitCodeOf(report: Pick<SessionReport, "status" | "error" | "usage" | "result">): number {
  const { status, error, usage, result } = report;
  if (status === "completed") return 0;
  if (status === "failed") return 1;
  if (status === "interrupted" || status === "cancelled") return 130;
  const exitCode = error !== undefined && isErrorCode(error.code) ? errorRow(error.code).exitCode : 3;
  const hasWorked = usage.totalTokens > 0 || (result?.turns ?? 0) > 0;
  return hasWorked && exitCode === 2 ? 3 : exitCode;
}
