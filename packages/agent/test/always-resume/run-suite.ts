import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentName } from "./agents.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** Result of running a test file. */
export interface SuiteReport {
  readonly passed: number;
  /** Titles of the tests that failed. */
  readonly failed: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

/** Returns the environment variables without those that Vitest sets for its workers. */
function outsideOfVitest(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST)/.test(name)));
}

/** Tests to run. */
export interface SuiteSelection {
  /** Vitest project of the package. */
  readonly project: string;
  readonly agent: AgentName;
  /** Titles of the tests. */
  readonly titles: readonly string[];
}

/** Runs unchanged tests of a file in one of the package's Vitest projects, with one of the agents. */
export async function runSuite(file: string, { project, agent, titles }: SuiteSelection): Promise<SuiteReport> {
  const vitest = join(PACKAGE, "node_modules/vitest/vitest.mjs");
  const selection = ["--project", project, "--testNamePattern", `(${titles.join("|")})$`, file];
  const child = spawn(process.execPath, [vitest, "run", "--reporter=json", ...selection], {
    cwd: PACKAGE,
    env: { ...outsideOfVitest(), SWITCHYARD_AGENT_UNDER_TEST: agent },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await once(child, "close");
  const report: Report = JSON.parse(output.split("\n").find((line) => line.startsWith("{")) ?? "{}");
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const withStatus = (status: string): string[] =>
    tests.filter((one) => one.status === status).map(({ title }) => title);
  return { passed: withStatus("passed").length, failed: withStatus("failed") };
}
