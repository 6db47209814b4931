import { cp } from "node:fs/promises";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError, guardedGit } from "@switchyard/contracts";

/** Command that runs the tests of the demo project: the same words with every version of Node. */
const TEST_COMMAND = "node --test --test-reporter=./tools/summary-reporter.js";

// Nothing of the user's own git settings takes part, and the commit is the same one every time.
const GIT_VARIABLES = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_DATE: "2026-01-01T12:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T12:00:00Z",
};

const COMMANDS = [
  ["init", "--quiet", "--template=", "--initial-branch=main"],
  ["config", "user.name", "Switchyard demo"],
  ["config", "user.email", "demo@switchyard.invalid"],
  ["add", "--all"],
  ["commit", "--quiet", "--message=Add the shop"],
];

/** Copies the demo project into the environment's folder and commits it under an identity of the demo's own. */
export async function prepareProject(template: string, environment: ExecutionEnvironment): Promise<void> {
  await cp(template, environment.workingDirectory, { recursive: true });
  for (const command of COMMANDS) {
    const { exitCode, stderr } = await environment.exec(guardedGit(command), { env: { set: GIT_VARIABLES } });
    if (exitCode !== 0)
      throw new EngineError("environment.spawn_failed", { command: `git ${command[0]}`, problem: stderr.trim() });
  }
}

/**
 * The demo's variables: the user's, without those that change what Node's test runner prints, and without git's: a hook has
 * some that name the repository it runs in.
 */
export function projectVariables(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _colour, ...rest } = env;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith("GIT_")));
}

/** What is true of the project after the demo. */
export interface ProjectFindings {
  /** Whether its tests pass now. */
  testsPass: boolean;
  /** What the tests printed. */
  testOutput: string;
  /** What was changed since the first commit. */
  diff: string;
}

/** Runs the project's tests and looks at what changed. */
export async function checkProject(environment: ExecutionEnvironment): Promise<ProjectFindings> {
  const tests = await environment.shell(TEST_COMMAND);
  const { stdout } = await environment.exec(guardedGit(["diff"]), { env: { set: GIT_VARIABLES } });
  return { testsPass: tests.exitCode === 0, testOutput: `${tests.stdout}${tests.stderr}`, diff: stdout };
}
