import { errorText, type SessionReport } from "@switchyard/contracts";
import picocolors from "picocolors";
import type { Terminal, TextOutput } from "../streams/terminal.ts";
import { formatCost } from "../text/format-cost.ts";
import { formatDuration } from "../text/format-duration.ts";
import { formatTokens } from "../text/format-tokens.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { plural } from "../text/plural.ts";
import { wrapLine } from "../text/wrap-line.ts";
import { describeLeftOut, describeReferences } from "./change-notes.ts";
import { summariseDiff } from "./diff-summary.ts";
import { printError } from "./print-error.ts";

const HEADLINES: Readonly<Record<SessionReport["status"], string>> = {
  queued: "Queued",
  running: "Still running",
  awaiting_input: "Waiting for an answer",
  completed: "Completed",
  failed: "Failed",
  error: "Stopped by an error",
  interrupted: "Interrupted",
  cancelled: "Cancelled",
  timed_out: "Timed out",
};

/** Next steps that are printed at the end of a run. */
export interface NextStep {
  /** Shell command that resumes the run; `undefined` if the run cannot be resumed. */
  resumeCommand?: string | undefined;
  /** True if the run waits for an answer. */
  needsAnswer?: boolean | undefined;
  /**
   * Shell command that applies the changes to the original folder; `undefined` if the workspace was not a temporary
   * copy.
   */
  apply?: string | undefined;
  /** False if the run cannot be resumed, because its files were temporary. Default: true. */
  isResumable?: boolean | undefined;
}

/** Prints a run's outcome, changes and files, and the command that resumes it. Errors go to standard error. */
export function printEnding(
  terminal: Pick<Terminal, "stdout" | "stderr">,
  report: SessionReport,
  next: NextStep = {},
): void {
  const { stdout, stderr } = terminal;
  const colours = picocolors.createColors(stdout.hasColour);
  const colour = report.status === "completed" ? colours.green : colours.yellow;
  const facts = [
    formatDuration(report.timing.durationMs),
    turnsOf(report),
    formatTokens(report.usage),
    formatCost(report.usage),
  ];
  const changes = summariseDiff(report.workspaceDiff ?? "").map((line) => `  ${neutraliseControls(line)}`);
  const headline = `${HEADLINES[report.status]} in ${facts.filter((fact) => fact !== "").join(" · ")}`;
  const [first = "", ...rest] = stdout.isTerminal ? wrapLine(headline, stdout.columns) : [headline];
  const lines = ["", first.replace(HEADLINES[report.status], colour), ...rest];
  if (isElsewhere(report)) lines.push(`Environment: ${neutraliseControls(report.environment ?? "")}`);
  if (changes.length > 0) lines.push("Changes:", ...changes);
  lines.push(...noteLines(report));
  if (next.apply !== undefined) lines.push(`Your folder is unchanged. Apply the changes with: ${next.apply}`);
  for (const warning of report.warnings ?? []) lines.push(colours.yellow(`! ${neutraliseControls(warning)}`));
  if (report.runFolder !== undefined) lines.push(`Run folder: ${neutraliseControls(report.runFolder)}`);
  // After an interrupt, the error's remedy already contains the command that resumes the run.
  if (next.resumeCommand !== undefined && !isInterrupt(report)) lines.push(`Resume with: ${next.resumeCommand}`);
  stdout.write(`${lines.join("\n")}\n`);
  printReportError(stderr, report, next);
}

/** Returns lines about changes that are not in the diff. */
function noteLines(report: SessionReport): string[] {
  const references = describeReferences(report).map((line) => `  ${line}`);
  const leftOut = describeLeftOut(report).map((line) => `  ${line}`);
  return [
    ...(references.length === 0 ? [] : ["Git:", ...references]),
    ...(leftOut.length === 0 ? [] : ["Changed, but not in the diff:", ...leftOut]),
  ];
}

/** Returns true if the environment should be printed, which is the case for all but the default, `local`. */
function isElsewhere({ environment }: SessionReport): boolean {
  return environment !== undefined && environment !== "local";
}

function isInterrupt({ error }: SessionReport): boolean {
  return error?.code === "run.interrupted";
}

/** Prints the error of a run, if there is one. */
export function printReportError(output: TextOutput, report: SessionReport, next: NextStep = {}): void {
  const { error, resumeError } = report;
  if (error === undefined) return;
  const remedy = resumeError === undefined ? error.remedy : errorText(resumeError);
  printError(output, isInterrupt(report) ? interruption(next, remedy) : error);
}

function interruption(
  { resumeCommand, needsAnswer, isResumable }: NextStep,
  remedy: string,
): { message: string; remedy: string } {
  if (needsAnswer === true) {
    const how = resumeCommand === undefined ? remedy : `Answer it in a terminal: \`${resumeCommand}\`.`;
    return { message: "The agent asked a question that cannot be answered here.", remedy: how };
  }
  const message = "The run was interrupted.";
  if (isResumable === false)
    return { message, remedy: "Its files were temporary, so it cannot be resumed. Run it again." };
  return {
    message,
    remedy: resumeCommand === undefined ? remedy : `Nothing was lost. Resume with \`${resumeCommand}\`.`,
  };
}

function turnsOf({ result }: SessionReport): string {
  return result?.turns === undefined ? "" : plural(result.turns, "turn");
}
