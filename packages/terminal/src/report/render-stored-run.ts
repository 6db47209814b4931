import type { SessionReport, StoredRun } from "@switchyard/contracts";
import { errorText, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { formatCost } from "../text/format-cost.ts";
import { formatDuration } from "../text/format-duration.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { describeLeftOut, describeReferences } from "./change-notes.ts";
import { summariseDiff } from "./diff-summary.ts";

/** Facts about a stored run that the run itself does not contain. */
export interface RunFacts {
  /** Human-readable status. Default: the status in the report. */
  readonly status?: string | undefined;
  /** Time at which the run's changes were reverted, ISO 8601. `undefined`: they were not. */
  readonly undoneAt?: string | undefined;
  /** Command that resumes the run. Not shown if the report says why the run cannot be resumed. */
  readonly resumeCommand?: string | undefined;
}

/** Renders a stored run as lines: its facts, its changes and its final message. Control characters are made visible. */
export function renderStoredRun(run: StoredRun, { status, undoneAt, resumeCommand }: RunFacts): string[] {
  const { runId, folder, record, problems } = run;
  const report = reportOf(run);
  const facts: [string, string | undefined][] = [
    ["Run", runId],
    ["Status", status ?? report?.status],
    ["Task", record?.title],
    ["Engine", record?.engine],
    ["Model", record?.model],
    ["Place", record?.environment === "local" ? undefined : record?.environment],
    ["Workspace", record?.workspace],
    ["Started", record?.started_at ?? record?.created_at],
    ["Attempts", record === undefined || record.attempt === 1 ? undefined : String(record.attempt)],
    ["Took", report === undefined ? undefined : formatDuration(report.timing.durationMs)],
    ["Tokens", report === undefined ? undefined : tokensOf(report)],
    ["Cost", report === undefined ? undefined : formatCost(report.usage)],
    ["Undone", undoneAt],
    ["Error", report?.error?.message],
    ["Run folder", folder],
    ["Resume", report?.resumeError === undefined ? resumeCommand : undefined],
  ];
  const known = facts.filter(([, value]) => value !== undefined && value !== "");
  const lines = known.map(([name, value]) => `${`${name}:`.padEnd(12)}${value}`);
  const changes = summariseDiff(report?.workspaceDiff ?? "");
  if (changes.length > 0) lines.push("", "Changes:", ...changes.map((line) => `  ${line}`));
  if (report !== undefined) {
    const references = describeReferences(report);
    if (references.length > 0) lines.push("", "Git:", ...references.map((line) => `  ${line}`));
    const leftOut = describeLeftOut(report);
    if (leftOut.length > 0) lines.push("", "Changed, but not in the diff:", ...leftOut.map((line) => `  ${line}`));
  }
  const message = report?.result?.final_message ?? "";
  if (message !== "") lines.push("", message);
  for (const problem of problems) lines.push("", `Problem: ${errorText(problem)}`);
  return lines.map(neutraliseControls);
}

/**
 * Returns the report to show. `undefined` while an attempt is active, because the stored report belongs to an earlier
 * attempt.
 */
function reportOf({ record, report }: StoredRun): SessionReport | undefined {
  return record === undefined || TERMINAL_RUN_STATUSES.includes(record.status) ? report : undefined;
}

function tokensOf({ usage }: SessionReport): string {
  return `${usage.inputTokens.toLocaleString("en-US")} in, ${usage.outputTokens.toLocaleString("en-US")} out`;
}
