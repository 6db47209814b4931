import type { SessionReport, SessionResult } from "@switchyard/contracts";

/**
 * The result that a program gets: the engine's own, or one that says why there is none, so that whoever started the
 * run can always read one. custom-engine: integration checklist.
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
    ...(error === undefined ? {} : { stderr: `${error.message} ${error.remedy}` }),
  };
}
