import type { SessionReport } from "@switchyard/contracts";
import {
  describeLeftOut,
  formatCost,
  formatDuration,
  formatTokens,
  neutraliseControls,
  summariseDiff,
} from "@switchyard/terminal";
import type { createColors } from "picocolors";

const ENDINGS: Partial<Record<SessionReport["status"], string>> = {
  completed: "Done",
  failed: "Failed",
  error: "Stopped by an error",
  interrupted: "Interrupted",
  cancelled: "Cancelled",
  timed_out: "Timed out",
};

/** Summarises a turn: how it ended, its duration, tokens and cost, and the files that it changed. */
export function turnSummary(report: SessionReport, colours: ReturnType<typeof createColors>): string[] {
  const { status, timing, usage, error, warnings = [] } = report;
  const facts = [formatDuration(timing.durationMs), formatTokens(usage), formatCost(usage)].filter(
    (fact) => fact !== "",
  );
  const ending = `${ENDINGS[status] ?? status} · ${facts.join(" · ")}`;
  const changes = summariseDiff(report.workspaceDiff ?? "").map((line) => `  ${neutraliseControls(line)}`);
  const isFailure = error !== undefined && status !== "interrupted" && status !== "cancelled";
  return [
    status === "completed" ? colours.dim(ending) : colours.yellow(ending),
    ...changes,
    ...describeLeftOut(report).map((line) => `  ${line}`),
    ...warnings.map((warning) => colours.yellow(`! ${neutraliseControls(warning)}`)),
    ...(isFailure
      ? [`${colours.red("error:")} ${oneLine(error.message)}`, `${colours.cyan("hint:")} ${oneLine(error.remedy)}`]
      : []),
  ];
}

function oneLine(text: string): string {
  return neutraliseControls(text).replace(/\s+/g, " ").trim();
}
