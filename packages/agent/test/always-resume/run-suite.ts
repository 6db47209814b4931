import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AgentName } from "./agents.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

const PROJECTS = fileURLToPath(new URL("./run-projects.mjs", import.meta.url));

/** Result of running a test file in a Vitest project. */
export interface SuiteReport {
  readonly passed: number;
  /** Titles of the tests that failed. */
  readonly failed: readonly string[];
}

interface ReportedTest {
  readonly agent: string;
  readonly project: string;
  readonly title: string;
  readonly state: string;
}

/** Returns the environment variables without those that Vitest sets for its workers. */
function outsideOfVitest(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST)/.test(name)));
}

/** Tests to run. */
export interface SuiteSelection {
  readonly agents: readonly AgentName[];
  /** Titles of the tests. */
  readonly titles: readonly string[];
}

/**
 * Runs unchanged tests of a file with each agent, in each of the package's Vitest projects. Resolves with a function that
 * returns the result of an agent in a project.
 */
export async function runSuite(
  file: string,
  { agents, titles }: SuiteSelection,
): Promise<(agent: AgentName, project: string) => SuiteReport> {
  const child = spawn(process.execPath, [PROJECTS, file, `(${titles.join("|")})$`, ...agents], {
    cwd: PACKAGE,
    env: outsideOfVitest(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await once(child, "close");
  const tests: readonly ReportedTest[] = JSON.parse(output.split("\n").find((line) => line.startsWith("[{")) ?? "[]");
  return (agent, project) => reportOf(tests.filter((test) => test.agent === agent && test.project === project));
}

function reportOf(tests: readonly ReportedTest[]): SuiteReport {
  const withState = (state: string): string[] => tests.filter((one) => one.state === state).map(({ title }) => title);
  return { passed: withState("passed").length, failed: withState("failed") };
}
