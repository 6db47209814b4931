import { resolve } from "node:path";
import type { SessionHandle, SessionReport } from "@switchyard/contracts";
import { printStacks } from "../errors/print-stacks.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import { createView, type Progress } from "../views/create-view.ts";
import type { World } from "../world/world.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import type { OutputOptions } from "./output-options.ts";
import { printEnding, printReportError } from "./print-ending.ts";
import { isResumable, resumeCommand } from "./resume-hint.ts";
import { watchSession } from "./watch-session.ts";
import { assertWritable, resultOf, writeResult } from "./write-result.ts";

/** What a session is started with so that it can be shown and stopped. */
interface SessionHooks {
  /** Cancels it. */
  signal: AbortSignal;
  /** Takes what it failed with. */
  onError: (error: unknown) => void;
}

/** Starts a session that was prepared. */
export type StartPrepared = (hooks: SessionHooks) => Promise<SessionHandle>;

/**
 * Prepares a session, starts it, shows it and reports it. Resolves with the exit code; rejects with what kept the
 * session from starting.
 */
export async function presentSession(
  world: World,
  options: OutputOptions,
  prepare: () => Promise<StartPrepared>,
): Promise<number> {
  const output = options.output === undefined ? undefined : resolve(world.workingDirectory, options.output);
  if (output !== undefined) await assertWritable(output);
  const report = await present(world, options, await prepare());
  try {
    if (output !== undefined) await writeResult(output, resultOf(report));
  } finally {
    printReport(world, report, options);
  }
  return exitCodeOf(report);
}

async function present(world: World, options: OutputOptions, start: StartPrepared): Promise<SessionReport> {
  const shown = new Set<string>();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  const report = await watchSession(world, (signal) => start({ signal, onError }), {
    openView: () => createView(world, progressOf(options), shown),
    resumeCommand: (runId) => resumeCommand(runId, options.state),
  });
  for (const error of errors) await printStacks(world, error);
  // The view has printed its warnings once already.
  const warnings = report.warnings?.filter((warning) => !shown.has(warning));
  return { ...report, ...(warnings === undefined ? {} : { warnings }) };
}

/** A run that another process took over is that one's to go on with. */
function canGoOn({ status, error }: SessionReport): boolean {
  return isResumable(status) && error?.code !== "store.stale_epoch";
}

function progressOf(options: OutputOptions): Progress {
  if (options.events === "jsonl") return "events";
  return options.json === true ? "nothing" : "people";
}

function printReport(world: World, report: SessionReport, options: OutputOptions): void {
  const progress = progressOf(options);
  const goOn = canGoOn(report) ? resumeCommand(report.runId, options.state) : undefined;
  if (progress === "people") {
    printEnding(world, report, goOn);
    return;
  }
  const { result: _, ...rest } = report;
  const printed = progress === "nothing" ? report : { type: "session_result", result: resultOf(report), report: rest };
  world.stdout.write(`${toPlainJson(printed)}\n`);
  printReportError(world.stderr, report, goOn);
}
