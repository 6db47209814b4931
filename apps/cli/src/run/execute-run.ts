import { resolve } from "node:path";
import type { SessionInput, SessionReport } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { startSession } from "@switchyard/runner";
import { printStacks } from "../errors/print-stacks.ts";
import { openEngine } from "../model/open-engine.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import { createView, type Progress } from "../views/create-view.ts";
import type { World } from "../world/world.ts";
import { buildSessionInput } from "./build-session-input.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { printEnding, printReportError } from "./print-ending.ts";
import type { RunOptions } from "./run-options.ts";
import { stateDirectory } from "./state-directory.ts";
import { watchSession } from "./watch-session.ts";
import { assertWritable, resultOf, writeResult } from "./write-result.ts";

/** Runs a task, shows it and reports it. Resolves with the exit code; rejects with what kept the run from starting. */
export async function executeRun(world: World, options: RunOptions): Promise<number> {
  const input = await buildSessionInput(world, options);
  const output = options.output === undefined ? undefined : resolve(world.workingDirectory, options.output);
  if (output !== undefined) await assertWritable(output);
  const report = await runInWorkspace(world, input, options);
  try {
    if (output !== undefined) await writeResult(output, resultOf(report));
  } finally {
    printReport(world, report, progressOf(options));
  }
  return exitCodeOf(report);
}

async function runInWorkspace(world: World, input: SessionInput, options: RunOptions): Promise<SessionReport> {
  await using environment = await openLocalEnvironment({
    root: input.workspace ?? world.workingDirectory,
    env: world.env,
  });
  const opened = await openEngine(world, { ...options, model: input.model });
  const shown = new Set<string>();
  const errors: unknown[] = [];
  const view = createView(world, progressOf(options), shown);
  const report = await watchSession(
    world,
    (signal) =>
      startSession(input, {
        ...opened,
        environment,
        stateDirectory: stateDirectory(world, options.state),
        signal,
        onError: (error) => errors.push(error),
      }),
    view,
  );
  for (const error of errors) await printStacks(world, error);
  // The view has printed its warnings once already.
  const warnings = report.warnings?.filter((warning) => !shown.has(warning));
  return { ...report, ...(warnings === undefined ? {} : { warnings }) };
}

function progressOf(options: RunOptions): Progress {
  if (options.events === "jsonl") return "events";
  return options.json === true ? "nothing" : "people";
}

function printReport(world: World, report: SessionReport, progress: Progress): void {
  if (progress === "people") {
    printEnding(world, report);
    return;
  }
  const { result: _, ...rest } = report;
  const printed = progress === "nothing" ? report : { type: "session_result", result: resultOf(report), report: rest };
  world.stdout.write(`${toPlainJson(printed)}\n`);
  printReportError(world.stderr, report);
}
