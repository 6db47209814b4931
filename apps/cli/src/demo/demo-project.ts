import { cp } from "node:fs/promises";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError, guardedGit } from "@switchyard/contracts";

/** Command that runs the tests of the demo project. Its output is the same in all versions of Node. */
const TEST_COMMAND = "node --test --test-reporter=./tools/summary-reporter.js";

// Disables the user's git settings and fixes identity and dates, so that the commit id is reproducible.
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

/** Copies the demo project into the environment's folder and commits it with a fixed identity. */
export async function prepareProject(template: string, environment: ExecutionEnvironment): Promise<void> {
  await cp(template, environment.workingDirectory, { recursive: true });
  for (const command of COMMANDS) {
    const { exitCode, stderr } = await environment.exec(guardedGit(command), { env: { set: GIT_VARIABLES } });
    if (exitCode !== 0)
      throw new EngineError("environment.spawn_failed", { command: `git ${command[0]}`, problem: stderr.trim() });
  }
}

/**
 * Returns the environment variables for the demo project. Omits variables that change the output of Node's test runner,
 * and all git variables: in a git hook, they refer to the repository of the hook.
 */
export function projectVariables(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _colour, ...rest } = env;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith("GIT_")));
}

/** State of the demo project after the demo. */
export interface ProjectFindings {
  /** Whether the demo project's tests pass. */
  testsPass: boolean;
  /** Output of the tests. */
  testOutput: string;
  /** Diff between the first commit and the current files. */
  diff: string;
}

/** Runs the tests of the demo project and collects the changes of its files. */
export async function checkProject(environment: ExecutionEnvironment): Promise<ProjectFindings> {
  const tests = await environment.shell(TEST_COMMAND);
  const { stdout } = await environment.exec(guardedGit(["diff"]), { env: { set: GIT_VARIABLES } });
  return { testsPass: tests.exitCode === 0, testOutput: `${tests.stdout}${tests.stderr}`, diff: stdout };
}
