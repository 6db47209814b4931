import type { AdapterCapabilities, ExecutionEnvironment } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { AdapterKind } from "../definition/define-adapter.ts";
import { parseCommand } from "../launch/parse-command.ts";
import { stripColours } from "../output/strip-colours.ts";
import type { CheckupFacts, SignIn } from "./agent-checkup.ts";

/** Milliseconds that one question to the command may take. agent-adapter: credential preflight. */
const QUESTION_MS = 5_000;
/** Characters of an answer that are read. */
const MAX_ANSWER_CHARS = 16 * 1024;
const NOT_FOUND = 127;
const VERSION = /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/u;

/** What an agent is examined with. */
export interface ExamineAgentOptions {
  /** The user's home, as a place where commands run. */
  readonly home: ExecutionEnvironment;
  /** The adapter's block. */
  readonly block?: Readonly<Record<string, unknown>> | undefined;
  /** Values of variables by name. */
  readonly variables?: Readonly<Record<string, Secret>> | undefined;
}

/** What is known of an agent on this machine. */
export interface AgentFindings {
  /** Name of the adapter's kind. */
  readonly kind: string;
  /** The command, as it is started. */
  readonly command: string;
  /** Whether the command is there. */
  readonly isInstalled: boolean;
  /** What it says its version is. */
  readonly version?: string | undefined;
  /** Whether somebody is signed in. */
  readonly signIn: SignIn;
  /** What the agent can do. */
  readonly capabilities: AdapterCapabilities;
  /** Whether nothing is known to be missing. */
  readonly ok: boolean;
  /** What to do, one sentence each. */
  readonly fixes: readonly string[];
}

/**
 * Finds out whether an agent is installed and signed in, without asking a model or the network. Throws `config.invalid`
 * for a block that is wrong; whatever the command does is a finding.
 */
export async function examineAgent(kind: AdapterKind, options: ExamineAgentOptions): Promise<AgentFindings> {
  const { home, block = {}, variables = {} } = options;
  const names = new Set(kind.variableNames(block));
  const configured = kind.commandOf(block);
  const facts = { kind: kind.kind, capabilities: kind.capabilities };
  if (configured === undefined && kind.requiresCommand) {
    const fixes = [`Name its command in engine.adapter.command of an engine file.`];
    return { ...facts, command: "", isInstalled: false, signIn: { state: "unknown" }, ok: false, fixes };
  }
  const command = parseCommand(configured, kind.defaultCommand);
  const asked = withoutMode(command, kind.defaultCommand);
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
  const run: CheckupFacts["run"] = (args) => runProgram([...asked, ...args]);
  const answer = await run(kind.checkup.versionArgs ?? ["--version"]);
  const isInstalled = answer !== undefined;
  const has = (name: string): boolean => set.some(([known]) => known === name);
  const homeHas = (path: string): Promise<boolean> => home.exists(path).catch(() => false);
  const signIn = isInstalled ? await signInOf(kind, { has, homeHas, run, runProgram }) : { state: "unknown" as const };
  const version = VERSION.exec(answer?.output ?? "")?.[0];
  const fixes = fixesOf(kind, { isInstalled, signIn, program: command[0] });
  const ok = isInstalled && signIn.state !== "no";
  return { ...facts, command: command.join(" "), isInstalled, ...(version && { version }), signIn, ok, fixes };
}

/** The program of a command, without the words that have it serve a protocol, `app-server` for instance. */
function withoutMode(command: readonly string[], defaultCommand: string): readonly string[] {
  const [, ...mode] = defaultCommand.split(" ");
  const isThere = mode.length > 0 && mode.every((word, index) => command.at(index - mode.length) === word);
  return isThere ? command.slice(0, -mode.length) : command;
}

async function signInOf({ checkup, credentials }: AdapterKind, facts: CheckupFacts): Promise<SignIn> {
  if (checkup.isSignedIn !== undefined) {
    try {
      return await checkup.isSignedIn(facts);
    } catch {
      return { state: "unknown" };
    }
  }
  const by = credentials.find(facts.has);
  return by === undefined ? { state: "unknown" } : { state: "yes", by };
}

function fixesOf(
  { checkup, credentials }: AdapterKind,
  { isInstalled, signIn, program }: { isInstalled: boolean; signIn: SignIn; program: string },
): string[] {
  if (!isInstalled) {
    const how = checkup.install === undefined ? "" : `: ${checkup.install}`;
    return [`Install ${program}, or set engine.adapter.command in an engine file${how}`];
  }
  if (signIn.state === "yes") return [];
  const way = checkup.signIn ?? (credentials.length === 0 ? undefined : `set ${credentials.join(" or ")}`);
  if (way === undefined) return [];
  return [signIn.state === "no" ? `Sign in: ${way}` : `If it is not signed in: ${way}`];
}
