import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalEnvironment } from "@switchyard/environment/local";
import type { EvalResults } from "@switchyard/evaluation";

/** Folder of this example. */
const EVALS = fileURLToPath(new URL("../..", import.meta.url));
const COMMAND = join(dirname(createRequire(import.meta.url).resolve("@switchyard/cli/package.json")), "dist/bin.cjs");

/** Options for running the scripted engines. */
export interface ScriptedRun {
  /** New folder for results. */
  folder: string;
  /** Seed of the engines' draws. */
  seed: string;
  /** Number of runs of each case. */
  iterations: number;
}

/** Runs all tasks with scripted engines through `switchyard eval`. Resolves with the results that it writes. */
export async function runScripted(
  engines: readonly string[],
  { folder, seed, iterations }: ScriptedRun,
): Promise<EvalResults> {
  const draws = join(folder, "draws");
  await mkdir(draws, { recursive: true });
  await using environment = await openLocalEnvironment({ root: EVALS, env: process.env });
  const chosen = engines.flatMap((engine) => ["--engine", `engines/${engine}.yaml`]);
  const words = [
    ...["eval", "eval.yaml", "--keep-workspaces", "none", "--concurrency", "3"],
    ...["--iterations", String(iterations), "--output", join(folder, "results"), ...chosen],
  ];
  const run = await environment.exec([process.execPath, COMMAND, ...words], {
    env: {
      policy: "core",
      set: {
        PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
        ...{ EVALS_FOLDER: EVALS, EVALS_SEED: seed, EVALS_DRAWS: draws },
      },
    },
    timeoutMs: 1_800_000,
  });
  // Some cases fail, so the exit code is 1.
  assert.equal(run.exitCode, 1, run.stderr);
  const results: EvalResults = JSON.parse(await readFile(join(folder, "results/results.json"), "utf8"));
  return results;
}
