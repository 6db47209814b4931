import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment, SessionInput, SessionReport } from "@switchyard/contracts";
import type { OpenedEngine } from "@switchyard/engine-catalog";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { exitCodeOf, startSession } from "@switchyard/runner";
import { toSettings } from "@switchyard/settings";
import { createView, printEnding, showWait, watchSession } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openEngine } from "../engine/open-engine.ts";
import { stateDirectory } from "../run/state-directory.ts";
import type { DemoOptions } from "./demo-options.ts";
import { checkProject, prepareProject, projectVariables } from "./demo-project.ts";
import { openRecording } from "./open-recording.ts";
import { printFindings, printIntroduction } from "./print-demo.ts";

const TASK = "The tests of this project fail. Find out why and fix it.";

/**
 * Lets an agent fix a failing test in a copy of the demo project, shows its progress, and runs the project's tests
 * afterwards. Resolves with the exit code. Rejects with `cassette.*` if the run differs from the recording.
 */
export async function runDemo(context: CommandContext, options: DemoOptions): Promise<number> {
  // The API key and the model are checked first: without them, the project need not be prepared.
  const live = options.live === true ? await openEngine(context, { engine: "agent", model: options.model }) : undefined;
  const root = await mkdtemp(join(context.temporaryDirectory, "switchyard-demo-"));
  await using environment = await openLocalEnvironment({ root, env: projectVariables(context.env) });
  const project = prepareProject(join(context.assetDirectory, "demo/project"), environment);
  await showWait(context, "Preparing the project of the demo", project);
  if (live === undefined) return await runWithRecording(context, environment, options);
  const { model = "" } = live;
  printIntroduction(context, { model, project: environment.workingDirectory, isRecording: false });
  const report = await fixProject(context, { environment, engine: live, model, state: options.state });
  return await finish(context, environment, report);
}

async function runWithRecording(
  context: CommandContext,
  environment: ExecutionEnvironment,
  options: DemoOptions,
): Promise<number> {
  await using recording = await openRecording(context, environment, options);
  const { model } = recording;
  printIntroduction(context, { model, project: environment.workingDirectory, isRecording: true });
  // The API keys of the user must not be sent to the local replay server.
  const engine = await openEngine({ ...context, env: {} }, { engine: "agent", model, baseUrl: recording.baseUrl });
  const report = await fixProject(context, { environment, engine, model, state: options.state });
  if (report.status === "interrupted" || report.status === "cancelled")
    return await finish(context, environment, report);
  const mismatch = recording.findMismatch();
  if (mismatch !== undefined) {
    printEnding(context, { ...report, error: undefined });
    throw mismatch;
  }
  await recording.save();
  return await finish(context, environment, report);
}

interface Fixing {
  environment: ExecutionEnvironment;
  engine: OpenedEngine;
  model: string;
  state: string | undefined;
}

async function fixProject(
  context: CommandContext,
  { environment, engine, model, state }: Fixing,
): Promise<SessionReport> {
  const workspace = environment.workingDirectory;
  const input: SessionInput = { messages: [{ role: "user", content: TASK }], model, workspace };
  const settings = toSettings({ isDemo: true });
  const options = { ...engine, environment, settings, stateDirectory: stateDirectory(context, state) };
  const openView = () => createView(context, "people");
  return await watchSession(context, (signal) => startSession(input, { ...options, signal }), { openView });
}

async function finish(
  context: CommandContext,
  environment: ExecutionEnvironment,
  report: SessionReport,
): Promise<number> {
  printEnding(context, report);
  if (report.status !== "completed") return exitCodeOf(report);
  const findings = await showWait(context, "Running the tests of the project", checkProject(environment));
  printFindings(context, report, findings);
  return findings.testsPass && findings.diff !== "" ? 0 : 1;
}
