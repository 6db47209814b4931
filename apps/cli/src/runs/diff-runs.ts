import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  createTrajectory,
  diffTrajectories,
  importTrajectory,
  parseTrajectory,
  type Trajectory,
} from "@switchyard/evaluation";
import { describeTrajectoryDiff } from "@switchyard/evaluation/terminal";
import { readText, secretsFromEnv } from "@switchyard/runner";
import { toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { findRun } from "./open-runs.ts";

/**
 * Stores a trajectory (the recorded steps of an agent, in a file) as a run and prints its id. Resolves with the exit
 * code.
 */
export async function importRun(
  context: CommandContext,
  { file, json, ...options }: { file: string; json?: boolean } & StoreOptions,
): Promise<number> {
  const trajectory =
    file === "-"
      ? await parseTrajectory(await context.stdin.readAll(), "standard input")
      : await readFileAt(context, file);
  const runId = await importTrajectory(await openRunStore(context, options), trajectory, {
    ...{ now: context.now, createdBy: `@switchyard/cli ${context.version}`, secrets: secretsFromEnv(context.env) },
  });
  context.stdout.write(json === true ? `${toPlainJson({ run_id: runId })}\n` : `Imported as run ${runId}\n`);
  return 0;
}

/**
 * Compares two runs or trajectories (recorded steps of an agent). Resolves with the exit code, which does not depend on
 * the difference.
 */
export async function diffRuns(
  context: CommandContext,
  { first, second, json, ...options }: { first: string; second: string; json?: boolean } & StoreOptions,
): Promise<number> {
  const store = await openRunStore(context, options);
  const load = async (name: string): Promise<Trajectory> => {
    if (existsSync(resolve(context.workingDirectory, name))) return readFileAt(context, name);
    const run = await findRun(context, store, { ...options, id: name, command: "runs diff" });
    return createTrajectory(run, { events: store.events(run.runId), secrets: secretsFromEnv(context.env) });
  };
  const [left, right] = [await load(first), await load(second)];
  const diff = diffTrajectories(left, right);
  const lines = json === true ? [toPlainJson(diff)] : describeTrajectoryDiff({ left, right, diff });
  context.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

async function readFileAt(context: CommandContext, file: string): Promise<Trajectory> {
  return parseTrajectory(await readText(resolve(context.workingDirectory, file), file), file);
}
