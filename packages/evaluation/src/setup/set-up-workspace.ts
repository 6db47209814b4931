import { readFile } from "node:fs/promises";
import { EngineError, type ExecutionEnvironment, type GitSetting, guardedGit } from "@switchyard/contracts";
import type { EvalCase, SuiteEnvironment } from "../suite/eval-suite.ts";

/** Options for `setUpWorkspace`. */
export interface SetUpWorkspaceOptions {
  /** Case for which the git repository is created. */
  readonly case: Pick<EvalCase, "git">;
  /** Environment that the suite requires, with its setup steps. */
  readonly suiteEnvironment: SuiteEnvironment | undefined;
  readonly signal: AbortSignal;
}

/** Time limit of one setup step, in milliseconds. */
const STEP_TIMEOUT_MS = 600_000;
const MAX_OUTPUT = 2_000;

/** Settings for commits, so that they do not depend on the user's configuration. */
const SETTINGS: readonly GitSetting[] = [
  ["user.name", "Evaluation"],
  ["user.email", "evaluation@localhost"],
  ["commit.gpgsign", "false"],
];

/**
 * Prepares the workspace of a session through its environment: runs the setup steps, creates the git repository and
 * applies the patch. Rejects with `config.invalid` if a command fails.
 */
export async function setUpWorkspace(environment: ExecutionEnvironment, options: SetUpWorkspaceOptions): Promise<void> {
  const { git } = options.case;
  const run = async (action: Promise<{ exitCode: number; stdout: string; stderr: string }>, name: string) => {
    const { exitCode, stdout, stderr } = await action;
    if (exitCode === 0) return;
    const output = `${stdout}\n${stderr}`.trim().slice(-MAX_OUTPUT);
    throw new EngineError("config.invalid", {
      field: name,
      problem: `it ended with exit code ${exitCode}: ${output}.`,
    });
  };
  const limits = { timeoutMs: STEP_TIMEOUT_MS, signal: options.signal };
  for (const step of options.suiteEnvironment?.setupSteps ?? [])
    await run(environment.shell(step, limits), `setup step ${step}`);
  if (git === undefined) return;
  const inGit = (...args: string[]): Promise<void> =>
    run(environment.exec(guardedGit(args, SETTINGS), limits), `git ${args.join(" ")}`);
  if (git.init) {
    await inGit("init", "-q", "-b", git.checkout ?? "main");
    await inGit("add", "-A");
    await inGit("commit", "-q", "--allow-empty", "-m", "Initial state");
  } else if (git.checkout !== undefined) {
    const known = await environment.exec(guardedGit(["checkout", "-q", git.checkout], SETTINGS), limits);
    if (known.exitCode !== 0) await inGit("checkout", "-q", "-b", git.checkout);
  }
  for (const [name, url] of Object.entries(git.remotes)) await inGit("remote", "add", name, url);
  if (git.patch === undefined) return;
  const patch = await readFile(git.patch);
  const command = guardedGit(["apply", "--whitespace=nowarn", "-"], SETTINGS);
  await run(environment.exec(command, { ...limits, stdin: patch }), "context.git.apply_diff");
}
