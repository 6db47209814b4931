import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { FOLDER_MODE } from "../files/file-modes.ts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import type { AttemptContext } from "../trial/attempt-context.ts";
import type { NamedEvalEngine } from "../trial/eval-engine.ts";
import { openWorkspace } from "../trial/open-workspace.ts";

/** Time limit of a command that prints its version, in milliseconds. */
const VERSION_MS = 20_000;

/** Matches the version in the output of a command. */
const VERSION = /\d+(?:\.\d+)+/u;

/**
 * Checks before the first trial that the engines can run the cases: their commands are installed in the environment, in
 * the required version, and they accept the MCP servers of the cases. Commands are not checked if setup steps may still
 * install them, or if each case has an image of its own. Rejects with `config.invalid_eval`, which lists all problems.
 */
export async function checkEngines(
  suite: Pick<EvalSuite, "name" | "cases" | "environment">,
  engines: readonly NamedEvalEngine[],
  context: AttemptContext,
): Promise<void> {
  const problems = engines.flatMap((engine) => refusedServers(engine, suite.cases));
  const hasSetup = (suite.environment?.setupSteps.length ?? 0) > 0;
  const haveImages = suite.cases.some(({ task }) => task !== undefined);
  const checked = hasSetup || haveImages ? [] : engines.filter(({ command }) => command !== undefined);
  if (checked.length > 0) problems.push(...(await inEnvironment(context, (place) => checkCommands(checked, place))));
  if (problems.length === 0) return;
  throw new EngineError("config.invalid_eval", { path: suite.name, problems: problems.join("\n") });
}

function refusedServers({ id, acceptsMcpServers }: NamedEvalEngine, cases: EvalSuite["cases"]): string[] {
  if (acceptsMcpServers !== false) return [];
  const found = cases.find(({ mcpServers = {} }) => Object.keys(mcpServers).length > 0);
  if (found === undefined) return [];
  const names = Object.keys(found.mcpServers ?? {}).join(", ");
  return [`mcp.servers: the engine ${id} receives no MCP servers, and the case ${found.id} needs ${names}`];
}

/** Opens an environment like that of a trial, with an empty workspace. */
async function inEnvironment<T>(context: AttemptContext, use: (place: ExecutionEnvironment) => Promise<T>): Promise<T> {
  const folder = join(context.workspaces, "check");
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await using environment = await openWorkspace(folder, context);
    return await use(environment);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** Returns whether a version fits: it begins with the required one, or is not older for `>=`. */
function isInstalled(version: string, installed: string): boolean {
  if (!version.startsWith(">=")) return `${installed}.`.startsWith(`${version.replace(/^[v=]+/u, "")}.`);
  const needed = version.slice(2).trim().split(".").map(Number);
  const given = installed.split(".").map(Number);
  for (const [index, part] of needed.entries()) {
    const own = given[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
