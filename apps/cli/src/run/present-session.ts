import { join, resolve } from "node:path";
import type { SessionReport } from "@switchyard/contracts";
import { acceptsSteering } from "@switchyard/engine-catalog";
import { exitCodeOf, resultOfReport } from "@switchyard/runner";
import {
  assertWritable,
  createView,
  type Progress,
  printEnding,
  printReportError,
  toPlainJson,
} from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { applyCommand } from "./apply-command.ts";
import type { OutputOptions } from "./output-options.ts";
import type { PreparedSession } from "./prepared-session.ts";
import { isResumable, resumeCommand } from "./resume-hint.ts";
import { watchPrepared } from "./watch-prepared.ts";
import { writeResult } from "./write-result.ts";

/** Outcome of a session that was shown to the user. */
interface Presented {
  report: SessionReport;
  /** Whether the session was interrupted because the agent asked a question that could not be answered here. */
  needsAnswer: boolean;
  /** The prepared session. */
  prepared: Pick<PreparedSession, "isResumable" | "origin">;
}

/**
 * Prepares and starts a session, shows its progress and reports the result. Resolves with the exit code. Rejects with
 * errors that prevent the start.
 */
export async function presentSession(
  outer: CommandContext,
  options: OutputOptions,
  prepare: () => Promise<PreparedSession>,
): Promise<number> {
  const isPiped = options.outputSchema !== undefined && progressOf(options) === "people";
  // With an output schema, standard output contains only the JSON document, so that it can be piped.
  const context = isPiped ? { ...outer, stdout: outer.stderr } : outer;
  const output = options.output === undefined ? undefined : resolve(context.workingDirectory, options.output);
  if (output !== undefined) await assertWritable(output);
  const presented = await present(context, options, await prepare());
  const { report } = presented;
  outer.progress.keptAt = keptAt(report);
  try {
    if (output !== undefined) await writeResult(output, resultOfReport(report));
  } finally {
    await printReport(context, presented, options);
    if (progressOf(options) === "people") printDocument(outer, report);
  }
  return exitCodeOf(report);
}

async function present(context: CommandContext, options: OutputOptions, session: PreparedSession): Promise<Presented> {
  const { isResumable: isResumableRun, opened, origin } = session;
  const isSteerable = acceptsSteering(opened);
  const shown = new Set<string>();
  const { report, isLeftOpen } = await watchPrepared(context, session, {
    openView: ({ steer }) => createView(context, progressOf(options), { shown, ...(isSteerable ? { steer } : {}) }),
    resumeCommand: isResumableRun ? (runId) => resumeCommand(runId, options) : undefined,
  });
  // Omits warnings that were already printed while the run was active.
  const warnings = report.warnings?.filter((warning) => !shown.has(warning));
  const needsAnswer = isLeftOpen && report.status === "interrupted";
  const prepared = { isResumable: isResumableRun, origin };
  return { report: { ...report, ...(warnings === undefined ? {} : { warnings }) }, needsAnswer, prepared };
}

/** Returns a sentence that names where the result is stored. It is printed if the output is lost. */
function keptAt({ runFolder, runId }: SessionReport): string {
  const file = runFolder === undefined ? "" : ` in ${join(runFolder, "report.json")}`;
  return `The result is stored${file}. Print it with \`switchyard runs show ${runId} --json\`.`;
}

function printDocument({ stdout }: CommandContext, { output }: SessionReport): void {
  if (output !== undefined) stdout.write(`${toPlainJson(output)}\n`);
}

/**
 * Returns whether to print the command that resumes the run. If another process took over the run, that process
 * continues it.
 */
function canBeResumed({ status, error, resumeError }: SessionReport): boolean {
  return isResumable(status) && error?.code !== "store.stale_epoch" && resumeError === undefined;
}

function progressOf(options: OutputOptions): Progress {
  if (options.events === "jsonl") return "events";
  return options.json === true ? "nothing" : "people";
}

async function printReport(
  context: CommandContext,
  { report, needsAnswer, prepared }: Presented,
  options: OutputOptions,
): Promise<void> {
  const progress = progressOf(options);
  const { isResumable: isResumableRun, origin } = prepared;
  const command = canBeResumed(report) && isResumableRun ? resumeCommand(report.runId, options) : undefined;
  const patch = report.workspacePatch;
  const apply = patch === undefined || origin === undefined ? undefined : await applyCommand(origin, patch);
  const next = { resumeCommand: command, needsAnswer, apply, isResumable: isResumableRun };
  if (progress === "people") {
    printEnding(context, report, next);
    return;
  }
  const { result: _, ...rest } = report;
  const printed =
    progress === "nothing" ? report : { type: "session_result", result: resultOfReport(report), report: rest };
  context.stdout.write(`${toPlainJson(printed)}\n`);
  printReportError(context.stderr, report, next);
}
