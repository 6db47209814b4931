import { join, resolve } from "node:path";
import type { Publisher, SessionHandle, SessionReport, UserPrompter } from "@switchyard/contracts";
import { exitCodeOf, resultOfReport } from "@switchyard/runner";
import type { Masker } from "@switchyard/secrets";
import type { ApprovalChoice } from "@switchyard/settings";
import {
  assertWritable,
  createView,
  openQuestions,
  type Progress,
  printEnding,
  printReportError,
  toPlainJson,
  watchSession,
} from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { printStacks } from "../errors/print-stacks.ts";
import { openTelemetryOf } from "../telemetry/open-telemetry-of.ts";
import { applyCommand } from "./apply-command.ts";
import type { OutputOptions } from "./output-options.ts";
import { isResumable, resumeCommand } from "./resume-hint.ts";
import { writeResult } from "./write-result.ts";

/** Callbacks and abort signal with which a session is started, so that the command can show and stop the session. */
interface SessionHooks {
  /** Cancels the session. */
  signal: AbortSignal;
  /** Called with the error if the session fails. */
  onError: (error: unknown) => void;
  /** Answers the session's questions. */
  userPrompter: UserPrompter;
  /** Publisher that receives the session's events, if telemetry is configured. */
  observer?: Publisher | undefined;
}

/** Starts a prepared session. */
export type StartPrepared = (hooks: SessionHooks) => Promise<SessionHandle>;

/** Session that is ready to start, with data that is needed to show it and ask its questions. */
export interface PreparedSession {
  /** Starts the session. */
  start: StartPrepared;
  /** Name of the engine. Default: the built-in agent's name. */
  engineName: string | undefined;
  /** Redacts secrets in questions. */
  masker: () => Promise<Masker>;
  /** The user's choice of which tool calls need approval. */
  choice: ApprovalChoice;
  /** Whether the run's files remain after this process ends, so that the run can be resumed. */
  isResumable: boolean;
  /** Whether the engine accepts steering messages during the run. */
  isSteerable?: boolean | undefined;
  /** Folder from which a temporary workspace was copied. */
  origin?: string | undefined;
}

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

async function present(
  context: CommandContext,
  options: OutputOptions,
  { start, engineName, isResumable: isLasting, origin, isSteerable = false, masker, choice }: PreparedSession,
): Promise<Presented> {
  const shown = new Set<string>();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  const questions = openQuestions(context, {
    masker,
    asksApprovals: choice.approve !== "never",
    hasDenials: (choice.deny ?? []).length > 0,
  });
  const view = ({ steer }: SessionHandle) => ({ shown, ...(isSteerable ? { steer } : {}) });
  await using telemetry = await openTelemetryOf(context);
  const observer = telemetry?.observe({ engine: engineName ?? "agent", traceparent: context.env["TRACEPARENT"] });
  const hooks = { onError, userPrompter: questions.prompter, observer };
  const report = await watchSession(context, (signal) => start({ signal, ...hooks }), {
    openView: async (handle) => questions.watch(handle, await createView(context, progressOf(options), view(handle))),
    resumeCommand: isLasting ? (runId) => resumeCommand(runId, options) : undefined,
  });
  for (const error of errors) await printStacks(context, error);
  // Omits warnings that were already printed while the run was active.
  const warnings = report.warnings?.filter((warning) => !shown.has(warning));
  const needsAnswer = questions.isLeftOpen && report.status === "interrupted";
  const prepared = { isResumable: isLasting, origin };
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
function canGoOn({ status, error, resumeError }: SessionReport): boolean {
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
  const { isResumable: isLasting, origin } = prepared;
  const goOn = canGoOn(report) && isLasting ? resumeCommand(report.runId, options) : undefined;
  const patch = report.workspacePatch;
  const apply = patch === undefined || origin === undefined ? undefined : await applyCommand(origin, patch);
  const next = { goOn, needsAnswer, apply, isLasting };
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
