import type { SessionReport } from "@switchyard/contracts";
import { errorRow, isErrorCode } from "@switchyard/contracts";

/** Exit code of the command for how a run ended: 0 done, 1 task failed, 3 engine error, 130 interrupted. */
export function exitCodeOf(report: Pick<SessionReport, "status" | "error">): number {
  const { status, error } = report;
  if (status === "completed") return 0;
  if (status === "failed") return 1;
  if (status === "interrupted" || status === "cancelled") return 130;
  return error !== undefined && isErrorCode(error.code) ? errorRow(error.code).exitCode : 3;
}
