import type { SessionReport } from "@switchyard/contracts";
import { errorRow, isErrorCode } from "@switchyard/contracts";

/**
 * Exit code of the command for how a run ended: 0 done, 1 the task failed, 3 incomplete, 130 interrupted; 2 only for
 * what kept the engine from doing anything. The table is `EXIT_CODES`.
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
