import { errorText, type SessionReport, type SessionResult } from "@switchyard/contracts";

/**
 * Returns the result for the calling program: the engine's result, or else a result that contains the error. The
 * calling program can therefore always parse a result. See custom-engine: integration checklist.
 */
export function resultOfReport(report: SessionReport): SessionResult {
  if (report.result !== undefined) return report.result;
  const { error } = report;
  return {
    exit_code: report.status === "completed" ? 0 : 1,
    final_message: "",
    engine: report.engine,
    ...(report.model === undefined ? {} : { model: report.model }),
    duration_ms: report.timing.durationMs,
    ...(error === undefined ? {} : { stderr: errorText(error) }),
  };
}
