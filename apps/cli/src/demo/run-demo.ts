import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment, SessionInput, SessionReport } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { startSession } from "@switchyard/runner";
import { openEngine } from "../model/open-engine.ts";
import type { OpenedEngine } from "../model/opened-engine.ts";
import { exitCodeOf } from "../run/exit-code-of.ts";
import { printEnding } from "../run/print-ending.ts";
import { toSettings } from "../run/run-settings.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { watchSession } from "../run/watch-session.ts";
import { createView } from "../views/create-view.ts";
import type { World } from "../context/command-context.ts";
import { chooseLiveModel } from "./choose-live-model.ts";
import type { DemoOptions } from "./demo-options.ts";
import { checkProject, prepareProject, projectVariables } from "./demo-project.ts";
import { openRecording } from "./open-recording.ts";
import { printFindings, printIntroduction } from "./print-demo.ts";

const TASK = "The tests of this project fail. Find out why and fix it.";

/**
 * Lets an agent fix a failing test in a copy of the demo project, shows it, and checks the outcome by running the
 * project's tests. Resolves with the exit code; rejects with `cassette.*` when the run differed from the recording.
 */
export async function runDemo(world: World, options: DemoOptions): Promise<number> {
  // Looked up first: without a key, or such a model, there is nothing to prepare.
  const live = options.live === true ? await openLive(world, options) : undefined;
  const root = await mkdtemp(join(world.temporaryDirectory, "switchyard-demo-"));
  await using environment = await openLocalEnvironment({ root, env: projectVariables(world.env) });
  await prepareProject(join(world.assetDirectory, "demo/project"), environment);
  if (live !== undefined) return await runWithModel(world, { ...live, environment, state: options.state });
  return await runWithRecording(world, environment, options);
}

async function openLive(world: World, options: DemoOptions): Promise<Pick<Fixing, "engine" | "model">> {
  const model = await chooseLiveModel(world.env, options.model);
  return { model, engine: await openEngine(world, { engine: "agent", model }) };
}

async function runWithModel(world: World, fixing: Fixing): Promise<number> {
  const { environment, model } = fixing;
  printIntroduction(world, { model, project: environment.workingDirectory, isRecording: false });
  const report = await fixProject(world, fixing);
  return await finish(world, environment, report);
}

async function runWithRecording(
  world: World,
  environment: ExecutionEnvironment,
  options: DemoOptions,
): Promise<number> {
  await using recording = await openRecording(world, environment, options);
  const { model } = recording;
  printIntroduction(world, { model, project: environment.workingDirectory, isRecording: true });
  // The user's keys are not for a server of ours.
  const engine = await openEngine({ ...world, env: {} }, { engine: "agent", model, baseUrl: recording.baseUrl });
  const report = await fixProject(world, { environment, engine, model, state: options.state });
  if (report.status === "interrupted" || report.status === "cancelled") return await finish(world, environment, report);
  const mismatch = recording.findMismatch();
  if (mismatch !== undefined) {
    printEnding(world, { ...report, error: undefined });
    throw mismatch;
  }
  await recording.save();
  return await finish(world, environment, report);
}

interface Fixing {
  environment: ExecutionEnvironment;
  engine: OpenedEngine;
  model: string;
  state: string | undefined;
}

async function fixProject(world: World, { environment, engine, model, state }: Fixing): Promise<SessionReport> {
  const workspace = environment.workingDirectory;
  const input: SessionInput = { messages: [{ role: "user", content: TASK }], model, workspace };
  const settings = toSettings({ isDemo: true });
  const options = { ...engine, environment, settings, stateDirectory: stateDirectory(world, state) };
  const openView = () => createView(world, "people");
  return await watchSession(world, (signal) => startSession(input, { ...options, signal }), { openView });
}

async function finish(world: World, environment: ExecutionEnvironment, report: SessionReport): Promise<number> {
  printEnding(world, report);
  if (report.status !== "completed") return exitCodeOf(report);
  const findings = await checkProject(environment);
  printFindings(world, report, findings);
  return findings.testsPass && findings.diff !== "" ? 0 : 1;
}
