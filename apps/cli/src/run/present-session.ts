import { join, resolve } from "node:path";
import type { Publisher, SessionHandle, SessionReport, UserPrompter } from "@switchyard/contracts";
import { resultOfReport } from "@switchyard/runner";
import type { Masker } from "@switchyard/secrets";
import type { ApprovalChoice } from "@switchyard/settings";
import {
  createView,
  openQuestions,
  type Progress,
  printEnding,
  printReportError,
  toPlainJson,
} from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { printStacks } from "../errors/print-stacks.ts";
import { openTelemetryOf } from "../telemetry/open-telemetry-of.ts";
import { applyCommand } from "./apply-command.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import type { OutputOptions } from "./output-options.ts";
import { isResumable, resumeCommand } from "./resume-hint.ts";
import { watchSession } from "./watch-session.ts";
import { assertWritable, writeResult } from "./write-result.ts";

/** What a session is started with so that it can be shown and stopped. */
interface SessionHooks {
  /** Cancels it. */
  signal: AbortSignal;
  /** Takes what it failed with. */
  onError: (error: unknown) => void;
  /** Answers its questions. */
  userPrompter: UserPrompter;
  /** Told of its events, where somebody asked for that. */
  observer?: Publisher | undefined;
}

/** Starts a session that was prepared. */
export type StartPrepared = (hooks: SessionHooks) => Promise<SessionHandle>;

/** A session that can be started, and what its questions need. */
export interface PreparedSession {
  /** Starts it. */
  start: StartPrepared;
  /** Name of its engine; the agent loop where it is unset. */
  engineName: string | undefined;
  /** Takes secrets out of what is asked. */
  masker: () => Promise<Masker>;
  /** What the user wants to be asked about. */
  choice: ApprovalChoice;
  /** Whether its files outlive this process, so that it can be gone on with. */
  isResumable: boolean;
  /** Whether the engine hears what is said to it while it works. */
  isSteerable?: boolean | undefined;
  /** Folder that a temporary workspace is a copy of. */
  origin?: string | undefined;
}

/** How a session went. */
interface Presented {
  report: SessionReport;
  /** Whether it was stopped by a question that nobody could answer. */
  needsAnswer: boolean;
  /** The session as it was prepared. */
  prepared: Pick<PreparedSession, "isResumable" | "origin">;
}

/**
 * Prepares a session, starts it, shows it and reports it. Resolves with the exit code; rejects with what kept the
 * session from starting.
 */
export async function presentSession(
  outer: CommandContext,
  options: OutputOptions,
  prepare: () => Promise<PreparedSession>,
): Promise<number> {
  const isPiped = options.outputSchema !== undefined && progressOf(options) === "people";
  // Whoever pipes the document on wants nothing else there.
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
    openView: (handle) => questions.watch(handle, createView(context, progressOf(options), view(handle))),
    resumeCommand: isLasting ? (runId) => resumeCommand(runId, options) : undefined,
  });
  for (const error of errors) await printStacks(context, error);
  // The view has printed its warnings once already.
  const warnings = report.warnings?.filter((warning) => !shown.has(warning));
  const needsAnswer = questions.isLeftOpen && report.status === "interrupted";
  const prepared = { isResumable: isLasting, origin };
  return { report: { ...report, ...(warnings === undefined ? {} : { warnings }) }, needsAnswer, prepared };
}

/** Where the result is stored, whatever becomes of the output. */
function keptAt({ runFolder, runId }: SessionReport): string {
  const file = runFolder === undefined ? "" : ` in ${join(runFolder, "report.json")}`;
  return `The result is stored${file}; \`switchyard runs show ${runId} --json\` prints it.`;
}

function printDocument({ stdout }: CommandContext, { output }: SessionReport): void {
  if (output !== undefined) stdout.write(`${toPlainJson(output)}\n`);
}

/** A run that another process took over is that one's to go on with. */
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
