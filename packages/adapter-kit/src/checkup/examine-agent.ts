import type { AdapterCapabilities, ExecutionEnvironment, ModelRoute } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { AdapterKind } from "../definition/define-adapter.ts";
import { parseCommand } from "../launch/parse-command.ts";
import { stripColours } from "../output/strip-colours.ts";
import type { Authentication, CheckupFacts } from "./agent-checkup.ts";

/** Time limit of one command, in milliseconds. See agent-adapter: credential preflight. */
const QUESTION_MS = 5_000;
/** Maximum number of characters that are read of a command's output. */
const MAX_ANSWER_CHARS = 16 * 1024;
const NOT_FOUND = 127;
const VERSION = /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/u;

/** Options for `examineAgent`. */
export interface ExamineAgentOptions {
  /** Execution environment in which the agent's commands are run. Its folder is the user's home. */
  readonly home: ExecutionEnvironment;
  /** Configuration block of the adapter. */
  readonly block?: Readonly<Record<string, unknown>> | undefined;
  /** Environment variables by name. */
  readonly variables?: Readonly<Record<string, Secret>> | undefined;
}

/** Result of examining an agent on this machine. */
export interface AgentFindings {
  /** Kind of the adapter. */
  readonly kind: string;
  /** Command line that starts the agent. */
  readonly command: string;
  /** True if the command was found. */
  readonly isInstalled: boolean;
  /** Version that the agent's command prints. `undefined` if unknown. */
  readonly version?: string | undefined;
  /** Authentication state. */
  readonly authentication: Authentication;
  /** Capabilities of the agent. */
  readonly capabilities: AdapterCapabilities;
  /** Destination of the agent's model calls. `undefined` if the adapter does not report it. */
  readonly modelRoute?: ModelRoute | undefined;
  /** True if the agent is ready, as far as the checks can tell. */
  readonly ok: boolean;
  /** What the user must do to make the agent ready, one sentence each. */
  readonly fixes: readonly string[];
}

/**
 * Checks whether an agent is installed and authenticated, without calling a model or the network. Throws
 * `config.invalid` for an invalid configuration block. Failures of the command are part of the result.
 */
export async function examineAgent(kind: AdapterKind, options: ExamineAgentOptions): Promise<AgentFindings> {
  const { home, block = {}, variables = {} } = options;
  const names = new Set(kind.variableNames(block));
  const configured = kind.commandOf(block);
  const modelRoute = kind.modelRoute?.(block, variables);
  const facts = { kind: kind.kind, capabilities: kind.capabilities, ...(modelRoute && { modelRoute }) };
  if (configured === undefined && kind.requiresCommand) {
    const fixes = [`Name its command in engine.adapter.command of an engine file.`];
    return { ...facts, command: "", isInstalled: false, authentication: { state: "unknown" }, ok: false, fixes };
  }
  const command = parseCommand(configured, kind.defaultCommand);
  const prefix = withoutMode(command, kind.defaultCommand);
  const set = Object.entries(variables).filter(([name]) => names.has(name));
  const env = { policy: "core" as const, set: Object.fromEntries(set.map(([name, value]) => [name, value.reveal()])) };
  const runProgram: CheckupFacts["runProgram"] = async (argv) => {
    try {
      const limits = { timeoutMs: QUESTION_MS, maxOutputChars: MAX_ANSWER_CHARS };
      const { exitCode, stdout, stderr, timedOut } = await home.exec(argv, { ...limits, env });
      return exitCode === NOT_FOUND || timedOut
        ? undefined
        : { exitCode, output: stripColours(`${stdout}\n${stderr}`) };
    } catch {
      return undefined;
    }
  };
  const run: CheckupFacts["run"] = (args) => runProgram([...prefix, ...args]);
  const answer = await run(kind.checkup.versionArgs ?? ["--version"]);
  const isInstalled = answer !== undefined;
  const has = (name: string): boolean => set.some(([known]) => known === name);
  const homeHas = (path: string): Promise<boolean> => home.exists(path).catch(() => false);
  const authentication = isInstalled
    ? await authenticationOf(kind, { has, homeHas, run, runProgram })
    : { state: "unknown" as const };
  const version = VERSION.exec(answer?.output ?? "")?.[0];
  const fixes = fixesOf(kind, { isInstalled, authentication, program: command[0] });
  const ok = isInstalled && authentication.state !== "no";
  return { ...facts, command: command.join(" "), isInstalled, ...(version && { version }), authentication, ok, fixes };
}

/**
 * Returns a command without the arguments that start a protocol server, such as `app-server`. These are the arguments
 * of the default command. A command that does not end with them is returned unchanged.
 */
function withoutMode(command: readonly string[], defaultCommand: string): readonly string[] {
  const [, ...mode] = defaultCommand.split(" ");
  const hasMode = mode.length > 0 && mode.every((word, index) => command.at(index - mode.length) === word);
  return hasMode ? command.slice(0, -mode.length) : command;
}

async function authenticationOf({ checkup, credentials }: AdapterKind, facts: CheckupFacts): Promise<Authentication> {
  if (checkup.checkAuthentication !== undefined) {
    try {
      return await checkup.checkAuthentication(facts);
    } catch {
      return { state: "unknown" };
    }
  }
  const by = credentials.find(facts.has);
  return by === undefined ? { state: "unknown" } : { state: "yes", by };
}

function fixesOf(
  { checkup, credentials }: AdapterKind,
  { isInstalled, authentication, program }: { isInstalled: boolean; authentication: Authentication; program: string },
): string[] {
  if (!isInstalled) {
    const how = checkup.install === undefined ? "" : `: ${checkup.install}`;
    return [`Install ${program}, or set engine.adapter.command in an engine file${how}`];
  }
  if (authentication.state === "yes") return [];
  const way = checkup.login ?? (credentials.length === 0 ? undefined : `set ${credentials.join(" or ")}`);
  if (way === undefined) return [];
  return [authentication.state === "no" ? `Log in: ${way}` : `If it is not authenticated: ${way}`];
}
