import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import type { NamedEvalEngine } from "../trial/eval-engine.ts";
import { type CheckEnvironmentOptions, checkEnvironment } from "./check-environment.ts";

/** Time limit of a command that prints its version, in milliseconds. */
const VERSION_MS = 20_000;

/** Matches the version in the output of a command. */
const VERSION = /\d+(?:\.\d+)+(?:-[\w.-]+)?/u;

/** Engines of an evaluation. */
export interface CheckedEngines {
  /** Engines of the trials. */
  readonly trial: readonly NamedEvalEngine[];
  /** Engines that judge. */
  readonly judge: readonly NamedEvalEngine[];
}

/**
 * Checks before the first trial that the engines can run the cases: their commands are installed in the environment, in
 * the required version, and they accept the MCP servers of the cases. Commands are not checked if setup steps may still
 * install them, or if each case runs in its own container image. Rejects with `config.invalid_eval`, which lists all
 * problems, and with `environment.*` if the environment cannot be opened.
 */
export async function checkEngines(
  suite: Pick<EvalSuite, "name" | "cases" | "environment">,
  { trial: engines, judge }: CheckedEngines,
  context: Omit<CheckEnvironmentOptions, "check">,
): Promise<void> {
  const problems = engines.flatMap((engine) => refusedServers(engine, suite.cases));
  const hasSetup = (suite.environment?.setupSteps.length ?? 0) > 0;
  const haveImages = suite.cases.some(({ task }) => task !== undefined);
  const all = [...engines, ...judge.filter(({ command }) => engines.every((one) => one.command !== command))];
  const checked = hasSetup || haveImages ? [] : all.filter(({ command }) => command !== undefined);
  const check = async (place: ExecutionEnvironment): Promise<void> => {
    problems.push(...(await checkCommands(checked, place)));
  };
  await checkEnvironment(suite, { ...context, check: checked.length === 0 ? undefined : check });
  if (problems.length === 0) return;
  throw new EngineError("config.invalid_eval", { path: suite.name, problems: problems.join("\n") });
}

function refusedServers({ id, acceptsMcpServers }: NamedEvalEngine, cases: EvalSuite["cases"]): string[] {
  if (acceptsMcpServers !== false) return [];
  const found = cases.find(({ mcpServers = {} }) => Object.keys(mcpServers).length > 0);
  if (found === undefined) return [];
  const names = Object.keys(found.mcpServers ?? {}).join(", ");
  return [
    `mcp.servers: the engine ${id} is an HTTP service, which receives no MCP servers, and the case ${found.id} needs ${names}`,
  ];
}

async function checkCommands(
  engines: readonly NamedEvalEngine[],
  environment: ExecutionEnvironment,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, command = "", version } of engines) {
    const found = await environment.exec(["sh", "-c", 'command -v "$0"', command]);
    if (found.exitCode !== 0) problems.push(`the engine ${id} needs the command ${command}, which is not installed`);
    else if (version !== undefined) problems.push(...(await checkVersion({ id, command, version }, environment)));
  }
  return problems;
}

async function checkVersion(
  { id, command, version }: { readonly id: string; readonly command: string; readonly version: string },
  environment: ExecutionEnvironment,
): Promise<string[]> {
  const { stdout, stderr } = await environment.exec([command, "--version"], { timeoutMs: VERSION_MS });
  const installed = VERSION.exec(`${stdout}\n${stderr}`)?.[0];
  if (installed === undefined) return [`engine.version is ${version}, and ${command} --version prints no version`];
  if (isInstalled(version, installed)) return [];
  return [`engine.version is ${version}, and the command ${command} of the engine ${id} has the version ${installed}`];
}

/**
 * Returns true if the installed version begins with the required one or, for a requirement such as `>=1.2`, is not
 * older.
 */
function isInstalled(version: string, installed: string): boolean {
  const released = installed.replace(/-.*$/u, "");
  if (!version.startsWith(">=")) {
    const beginning = `${version.replace(/^[v=]+/u, "")}.`;
    return [installed, released].some((one) => `${one}.`.startsWith(beginning));
  }
  const needed = version.slice(2).trim().replace(/-.*$/u, "").split(".").map(Number);
  const given = released.split(".").map(Number);
  for (const [index, part] of needed.entries()) {
    const own = given[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
