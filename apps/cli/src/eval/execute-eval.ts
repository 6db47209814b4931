import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { EnvironmentConfig } from "@switchyard/environment";
import {
  type EvalResults,
  type EvalSuite,
  isEngineFile,
  openEvalFolder,
  openEvalModel,
  openTemporaryWorkspaces,
  parseEvalSuite,
  readHarborSuite,
  runEval,
  scoresOf,
  selectSuite,
  withSuiteEnvironment,
} from "@switchyard/evaluation";
import { createEvalView, printEvalEnding, watchForStops } from "@switchyard/evaluation/terminal";
import { createRunId, readText, secretsFromEnv } from "@switchyard/runner";
import { environmentNameOf, isOfThisMachine, withSignal } from "@switchyard/settings";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import { budgetOfUser, callBudgetOfUser } from "../budget/open-budgets.ts";
import type { CommandContext } from "../context/command-context.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import { usageError } from "../program/usage-error.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { openTelemetryOf } from "../telemetry/open-telemetry-of.ts";
import { describeRuns } from "./describe-runs.ts";
import { exitCodeOfEval } from "./eval-exit-code.ts";
import type { EvalOptions } from "./eval-options.ts";
import { createEngineOpener } from "./open-eval-engine.ts";

/** Runs an evaluation and shows its progress. Resolves with the exit code. Rejects if the evaluation cannot start. */
export async function executeEval(context: CommandContext, options: EvalOptions): Promise<number> {
  // Wrong options are reported before problems of the file.
  environmentsOf(context, options);
  const file = resolve(context.workingDirectory, options.file);
  const tasks = await readHarborSuite(file);
  const text = tasks === undefined ? await readText(file, options.file) : "";
  const wholeSuite = tasks ?? (await parseEvalSuite(text, file));
  if (tasks !== undefined && options.env !== undefined)
    throw usageError("Each task in Harbor's format runs in a container of its own image. Leave out --env.", "eval");
  const suite = await selectSuite(wholeSuite, selectionOf(options, context));
  const environmentFor = environmentsOf(context, withEnvironmentOf(suite, options));
  for (const warning of suite.warnings ?? []) context.stderr.write(`warning: ${neutraliseControls(warning)}\n`);
  const output = await openOutput(context, suite, options);
  const facts = await describeRuns({
    suite,
    environment: environmentNameOf(withEnvironmentOf(suite, options)),
    config: environmentFor(output, output),
    mode: options.mode,
  });
  const view = createEvalView(context, { isSilent: options.json === true, suite, output, facts });
  const calls = await callBudgetOfUser(context, options, [output]);
  const workspaces = await workspacesOf(context, options);
  await using telemetry = await openTelemetryOf(context, { hasEvaluations: true });
  const traceparent = context.env["TRACEPARENT"];
  const stops = watchForStops(context);
  let results: EvalResults;
  try {
    results = await runEval(suite, {
      openEngine: createEngineOpener(context, options),
      environment: (folder) =>
        withSuiteEnvironment(withSignal(environmentFor(folder, output), stops.signal), suite.environment, context.env),
      ...{ output, workspaces, interrupt: stops.interrupt, signal: stops.signal },
      openModel: (choice) => openEvalModel(choice, context.env, calls),
      ...(await budgetOfUser(context, options, { folders: [output], waits: true })),
      containerEngine: { hostEnv: context.env },
      secrets: secretsFromEnv(context.env),
      observe: telemetry === undefined ? undefined : (session) => telemetry.observe({ ...session, traceparent }),
      onProgress: (progress) => {
        context.progress.hasStarted = true;
        view.show(progress);
        if (progress.type !== "trial_finished") return;
        for (const score of scoresOf(progress.result, suite.name)) telemetry?.recordEvaluation(score);
      },
      ...{ failFast: options.failFast, keepWorkspaces: options.keepWorkspaces, resume: options.resume },
      sequential: options.untilSignificant === true ? {} : undefined,
      fingerprint: fingerprintOf(text, wholeSuite, options),
      createdBy: `@switchyard/cli ${context.version}`,
      now: context.now,
    });
  } finally {
    await calls?.close();
    view.close();
    stops.close();
    if (workspaces !== undefined) await rm(workspaces, { recursive: true, force: true });
  }
  context.progress.keptAt = `The results are stored in ${output}.`;
  if (options.json === true) context.stdout.write(`${toPlainJson(results)}\n`);
  else printEvalEnding(context, results, { output, formats: suite.reportFormats });
  return exitCodeOfEval(results);
}

/**
 * Returns a digest of the evaluation file, its case files, and the options for model, permissions and environment. If
 * one of them differs, `--resume` is refused, because results of different configurations would be mixed.
 */
function fingerprintOf(text: string, { cases }: EvalSuite, options: EvalOptions): string {
  const { mode, model, env, envNetwork } = options;
  const sources = cases.flatMap(({ source }) => source ?? []);
  const given = Object.entries({ mode, model, env, envNetwork }).filter(([, value]) => value !== undefined);
  return createHash("sha256")
    .update(JSON.stringify([text, sources, given]))
    .digest("hex");
}

/** Applies the environment that the suite requires. Command-line options take precedence. */
function withEnvironmentOf({ environment }: EvalSuite, options: EvalOptions): EvalOptions {
  if (options.env !== undefined || environment?.image === undefined) return options;
  const { image, hasNetwork, allowedHosts } = environment;
  const network = allowedHosts === undefined ? undefined : `list:${allowedHosts.join(",")}`;
  const byPolicy = hasNetwork === false ? "none" : "allow";
  return { ...options, env: `docker:${image}`, envNetwork: options.envNetwork ?? network ?? byPolicy };
}

function selectionOf(options: EvalOptions, { workingDirectory }: CommandContext): Parameters<typeof selectSuite>[1] {
  const { filter: cases, tag: tags, engine, addEngine, iterations, concurrency } = options;
  // Paths of engine files are relative to the current folder. Engine names are passed unchanged.
  const toSpec = (name: string): string => (isEngineFile(name) ? resolve(workingDirectory, name) : name);
  return { cases, tags, engines: engine?.map(toSpec), furtherEngines: addEngine?.map(toSpec), iterations, concurrency };
}

/**
 * Returns a function that creates the environment configuration of a run. Every run needs a separate environment, so
 * existing containers, pods and remote machines are rejected.
 */
function environmentsOf(
  context: CommandContext,
  options: EvalOptions,
): (folder: string, output: string) => EnvironmentConfig {
  if (!isOfThisMachine(environmentNameOf(options))) {
    const places = "local, sandbox, memory, docker:IMAGE or k8s:IMAGE";
    throw usageError(`Each run of an evaluation needs a new environment. Use --env ${places}.`, "eval");
  }
  const config = (workspace: string, output: string): EnvironmentConfig => {
    const requester = { command: "eval", isWorkspaceGiven: false, stateDirectory: output };
    return toEnvironmentConfig(context, { ...options, workspace }, requester);
  };
  // Creates a configuration now, to validate the options before the first run starts.
  config(context.workingDirectory, context.workingDirectory);
  return config;
}

async function openOutput(context: CommandContext, suite: EvalSuite, options: EvalOptions): Promise<string> {
  const { output: named } = options;
  if (named === undefined && options.resume === true) {
    throw usageError("--resume requires --output with the folder of the evaluation to continue.", "eval");
  }
  const output =
    named === undefined
      ? join(stateDirectory(context, options.state), "evals", createRunId(context.now()))
      : resolve(context.workingDirectory, named);
  await openEvalFolder(output, suite);
  return output;
}

/**
 * Creates a temporary folder for the workspaces of sandboxed runs. A sandbox hides the output folder and the temporary
 * files of this machine from a run, but no other files. Workspaces in the temporary folder are therefore hidden from
 * other runs. `undefined` for other environments.
 */
async function workspacesOf(context: CommandContext, { env }: EvalOptions): Promise<string | undefined> {
  return env === "sandbox" ? await openTemporaryWorkspaces(context.temporaryDirectory) : undefined;
}
