import type { SessionReport, StoredRun } from "@switchyard/contracts";
import { errorText, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { readUndoneAt, standingOf } from "@switchyard/runner";
import { canBeResumed } from "@switchyard/settings";
import {
  describeLeftOut,
  describeReferences,
  formatCost,
  formatDuration,
  neutraliseControls,
  summariseDiff,
  toPlainJson,
} from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { resumeCommand } from "../run/resume-hint.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { findRun } from "./open-runs.ts";

/**
 * Shows a run that is given by its id or a unique prefix of the id. Resolves with the exit code. Rejects with
 * `run.not_found`.
 */
export async function showRun(
  context: CommandContext,
  options: { id: string; json?: boolean } & StoreOptions,
): Promise<number> {
  const run = await findRun(context, await openRunStore(context, options), { ...options, command: "runs show" });
  const undoneAt = await readUndoneAt(run);
  const lines =
    options.json === true
      ? [toPlainJson({ ...toJson(run), undone_at: undoneAt })]
      : renderRun(run, { ...options, undoneAt }).map(neutraliseControls);
  context.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

function toJson({ folder, record, report, lease, problems }: StoredRun): Record<string, unknown> {
  const standing = record === undefined ? undefined : standingOf(record, lease);
  return {
    folder,
    record,
    cut_off: standing?.isCutOff,
    resumable: report?.resumeError === undefined ? standing?.isResumable : false,
    report,
    problems: problems.map((one) => one.toWire()),
  };
}

function renderRun(run: StoredRun, options: StoreOptions & { undoneAt: string | undefined }): string[] {
  const { runId, folder, record, problems } = run;
  const report = reportOf(run);
  const standing = record === undefined ? undefined : standingOf(record, run.lease);
  const canGoOn = standing?.isResumable === true && report?.resumeError === undefined && canBeResumed(run);
  const facts: [string, string | undefined][] = [
    ["Run", runId],
    ["Status", standing?.status ?? report?.status],
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
    ["Undone", options.undoneAt],
    ["Error", report?.error?.message],
    ["Run folder", folder],
    ["Resume", canGoOn ? resumeCommand(runId, options) : undefined],
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
  return lines;
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
