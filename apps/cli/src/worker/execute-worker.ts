import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, toEngineError } from "@switchyard/contracts";
import { parseEngineFile } from "@switchyard/runner";
import {
  parseRepositories,
  startWorker,
  type WorkerEngine,
  type WorkerFolder,
  type WorkerRepository,
  type WorkerRun,
} from "@switchyard/server";
import {
  type EnvironmentSelection,
  environmentNameOf,
  isEngineFile,
  readNamedFile,
  withSignal,
} from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import { planPermissions } from "../approval/plan-permissions.ts";
import { budgetsOfOwners } from "../budget/open-budgets.ts";
import { openCluster } from "../cluster/open-cluster.ts";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "../engine/engine-file.ts";
import { openEngine } from "../engine/open-engine.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import { numberOption } from "../fanout/work.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { logFailure } from "../serve/log-failure.ts";
import type { RunWorkerChoice } from "./worker-options.ts";

/** Options of a worker that executes runs, with its engines. */
interface RunWorkerOptions extends RunWorkerChoice {
  /** Engines, by name or configuration file. */
  readonly engine: readonly string[];
}

/**
 * Executes the runs of a cluster until the worker is stopped. Resolves with exit code 0, or 3 if it was stopped before
 * `--max-runs` runs had ended. Rejects with `config.invalid`, `engine.*`, `model.*` and `broker.*`.
 */
export async function executeWorker(context: CommandContext, options: RunWorkerOptions): Promise<number> {
  const countOption = (text: string, field: string) => Math.max(1, Math.floor(numberOption(text, field)));
  const concurrency = countOption(options.concurrency, "--concurrency");
  const maxRuns = options.maxRuns === undefined ? undefined : countOption(options.maxRuns, "--max-runs");
  const state = stateDirectory(context, options.state);
  // Registers the stop listener before anything is opened, so that a request to stop during the start is not lost.
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let cancel: () => void = () => undefined;
  let requests = 0;
  const ignore = context.onStopRequest(() => {
    requests += 1;
    if (requests === 1) stop();
    else if (requests === 2) cancel();
    else context.exit(130);
  });
  try {
    const opened = await openEngines(context, options, state);
    const [folders, repositories] = [await toFolders(context, options), await readRepositories(context, options)];
    await using cluster = await openCluster(context, options);
    const budgets = await budgetsOfOwners(context, { budgets: options.budgets }, cluster.store);
    await budgets?.assertReadable();
    const engines = opened.map((engine) => ({
      ...engine,
      session: { ...engine.session, openSharedBudget: budgets?.open },
    }));
    const worker = startWorker({
      ...{ cluster, engines, concurrency, stateDirectory: state, now: context.now, version: context.version },
      ...{ name: options.name, labels: options.label, environments: [environmentNameOf(options)] },
      ...{ folders, repositories, env: context.env, maxRuns, isDedicated: options.dedicated },
      maxRunSeconds: options.timeout,
      onRun: (run) => printRun(context, run),
      onError: (error) => void logFailure(context, toEngineError(error)),
    });
    cancel = () => worker.cancelRuns();
    context.progress.hasStarted = true;
    const names = engines.map(({ session }) => session.engineName).join(", ");
    context.stderr.write(`${neutraliseControls(`worker ${worker.name} waits for runs of ${names}`)}\n`);
    await Promise.race([stopped, worker.finished]);
    await worker.drain();
    return worker.missingRuns === 0 ? 0 : 3;
  } finally {
    ignore();
  }
}

/**
 * Returns the offered folders with absolute paths. Rejects with `config.invalid`, `workspace.not_found` or
 * `workspace.not_a_directory`.
 */
async function toFolders(
  { workingDirectory }: CommandContext,
  { workspace = {}, workspaceOwners = {} }: RunWorkerOptions,
): Promise<Record<string, WorkerFolder>> {
  const unknown = Object.keys(workspaceOwners).find((name) => workspace[name] === undefined);
  if (unknown !== undefined) {
    const problem = `there is no --workspace ${unknown}=FOLDER.`;
    throw new EngineError("config.invalid", { field: "--workspace-owners", problem });
  }
  const folders: Record<string, WorkerFolder> = {};
  for (const [name, given] of Object.entries(workspace)) {
    const path = resolve(workingDirectory, given);
    const found = await stat(path).catch((cause: unknown) => {
      throw new EngineError("workspace.not_found", { path }, { cause });
    });
    if (!found.isDirectory()) throw new EngineError("workspace.not_a_directory", { path });
    folders[name] = { path, owners: workspaceOwners[name]?.split(",").filter((owner) => owner !== "") };
  }
  return folders;
}

/** Reads the file with the repositories that the worker may check out. */
async function readRepositories(
  context: CommandContext,
  { repositories }: RunWorkerOptions,
): Promise<readonly WorkerRepository[]> {
  if (repositories === undefined) return [];
  const { text } = await readNamedFile(context, repositories);
  return parseRepositories(await parseEngineFile(text, repositories), { path: repositories, env: context.env });
}

function printRun({ stderr }: CommandContext, { runId, status }: WorkerRun): void {
  stderr.write(`${neutraliseControls(`${status}: ${runId}`)}\n`);
}

/** Opens all engines before the worker takes runs, so that wrong options are reported at once. */
async function openEngines(
  context: CommandContext,
  options: RunWorkerOptions,
  state: string,
): Promise<readonly WorkerEngine[]> {
  const requester = { command: "worker", isWorkspaceGiven: false, stateDirectory: state };
  const selectionOf = (workspace: string): EnvironmentSelection => ({ ...options, workspace });
  toEnvironmentConfig(context, selectionOf("."), requester);
  const { approval } = await planPermissions(context, { ...options, askUser: false });
  const engines: WorkerEngine[] = [];
  for (const engine of options.engine) {
    const file = isEngineFile(engine) ? await readEngineFile(context, engine) : undefined;
    const standard = file === undefined ? context.env["SWITCHYARD_MODEL"] || undefined : undefined;
    const chosen = { ...options, engine, model: options.model ?? standard, approval, askUser: false };
    engines.push({
      session: await openEngine(context, { ...chosen, engineDocument: file?.document }),
      openEnvironment: (folder, signal) =>
        withSignal(toEnvironmentConfig(context, selectionOf(folder), requester), signal),
    });
  }
  return engines;
}
