import { randomBytes } from "node:crypto";
import type { EnvironmentVariables, SpawnOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { PROCESS_MARK, renderProcessMark } from "../../local/process/process-table.ts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { WorkspaceRoot } from "../../path/workspace-root.ts";
import { mergeVariableRules, selectVariables } from "../../variables/select-variables.ts";
import type { RemoteBackend } from "../remote-backend.ts";
import type { RemoteFacts } from "../remote-facts.ts";
import { renderCommand, renderCommandLine } from "../script/command-script.ts";
import { toRemoteError } from "../to-remote-error.ts";
import type { ProcessWatch } from "./process-watch.ts";
import { NotStarted, RemoteProcess } from "./remote-process.ts";

/** Settings shared by all processes of an environment. */
export interface RemoteProcessSettings {
  readonly backend: RemoteBackend;
  readonly facts: Pick<RemoteFacts, "session" | "variables">;
  readonly workspace: WorkspaceRoot;
  readonly watch: ProcessWatch;
  readonly variableRules: EnvironmentVariables | undefined;
  readonly times: { readonly killGraceMs: number; readonly drainMs: number };
}

/** One program to start. */
export interface RemoteCommand {
  readonly argv: readonly string[];
  /**
   * Mark (unique id) in the environment variables of the process. It identifies the process after it has left its
   * process group.
   */
  readonly mark: string;
  /** True if the program has standard input. */
  readonly hasInput: boolean;
}

/** Search path used when the variables have no PATH. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Read-only variables of bash, which cannot be set. */
const READ_ONLY: ReadonlySet<string> = new Set(["UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"]);

/**
 * Starts a program in a folder of the workspace. Throws `environment.command_not_found`, `environment.spawn_failed`, an
 * error about the folder, or the backend's explanation if the remote environment is unreachable.
 */
export async function startRemoteProcess(
  settings: RemoteProcessSettings,
  { argv, mark, hasInput }: RemoteCommand,
  options: SpawnOptions,
): Promise<RemoteProcess> {
  const { backend, facts, workspace, watch, times } = settings;
  const waitsForInputEnd = backend.losesLastOutput === true;
  const restOfInput = hasInput ? "all" : waitsForInputEnd ? "end" : "none";
  const path = options.cwd ?? workspace.real;
  const command = checkArguments(argv);
  const line = renderCommandLine({
    folder: resolveWorkspacePath(workspace, path).absolute,
    root: workspace.real,
    argv,
    hasInput,
    ...selectRemoteVariables(settings, options.env, mark),
  });
  const id = randomBytes(16).toString("hex");
  const client = await backend.start(
    renderCommand(id, { session: facts.session, restOfInput, yieldsMemory: backend.boundsMemory === true }),
  );
  const explain = backend.explain.bind(backend);
  const process = new RemoteProcess({ client, id, mark, restOfInput, watch, times, explain });
  process.input.write(Buffer.from(line)).catch(() => {});
  try {
    await startedOrAborted(process, command.slice(0, 200), options.signal);
    return process;
  } catch (error) {
    if (!(error instanceof NotStarted)) await process.stop();
    await process.release();
    throw toStartError(error, { command, path, root: workspace.real });
  }
}

/**
 * Maximum time, in milliseconds, for a command to start. It is long because a container engine may start many commands
 * one after another.
 */
const START_MS = 180_000;

async function startedOrAborted(process: RemoteProcess, command: string, signal?: AbortSignal): Promise<void> {
  let stop: () => void = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abandoned = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    const problem = "it did not report its start within three minutes";
    timer = setTimeout(() => reject(new EngineError("environment.spawn_failed", { command, problem })), START_MS);
  });
  try {
    await Promise.race([process.started, abandoned]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function checkArguments(argv: readonly string[]): string {
  // Checked at run time: if `argv` were a string, its first character would be run as a program.
  if (!Array.isArray(argv))
    throw new TypeError("exec and spawn take a list: the program and its arguments; shell takes a line.");
  const [command = ""] = argv;
  const fail = (problem: string) =>
    new EngineError("environment.spawn_failed", { command: command.slice(0, 200) || "(empty)", problem });
  if (command === "") throw fail("no program is named");
  if (argv.some((argument) => argument.includes("\0")))
    throw fail("an argument or a variable contains a NUL character");
  return command;
}

interface StartSubject {
  readonly command: string;
  readonly path: string;
  readonly root: string;
}

function toStartError(error: unknown, { command, path, root }: StartSubject): unknown {
  if (!(error instanceof NotStarted)) return error;
  const name = command.slice(0, 200);
  switch (error.reason) {
    case "@MISSING":
      return new EngineError("environment.command_not_found", { command });
    case "@DENIED":
      return new EngineError("environment.spawn_failed", { command: name, problem: "it may not be executed" });
    case "@EOF":
      return new EngineError("environment.spawn_failed", { command: name, problem: "its input ended too early" });
    default:
      return toRemoteError(error.reason, { operation: "open", path, root });
  }
}

/** Returns the environment variables to set for a command, and the remote variables that it must not see. */
function selectRemoteVariables(
  { facts, variableRules }: RemoteProcessSettings,
  call: EnvironmentVariables | undefined,
  mark: string,
): { readonly set: Readonly<Record<string, string>>; readonly unset: readonly string[] } {
  const rules = mergeVariableRules(variableRules, call);
  const deny = [...(rules.deny ?? []), "OLDPWD", PROCESS_MARK];
  const selected = selectVariables(facts.variables, { ...rules, deny });
  for (const name of Object.keys(rules.set ?? {})) {
    if (NAME.test(name) && !READ_ONLY.has(name)) continue;
    const problem = `a shell cannot set the variable ${name.slice(0, 100)}`;
    throw new EngineError("environment.spawn_failed", { command: "(variables)", problem });
  }
  const hasLevel = /^[1-9]\d{0,2}$/.test(selected["SHLVL"] ?? "");
  const outer = facts.variables[PROCESS_MARK];
  const all = {
    PATH: DEFAULT_PATH,
    ...selected,
    SHLVL: hasLevel ? (selected["SHLVL"] ?? "1") : "1",
    [PROCESS_MARK]: renderProcessMark(outer, mark),
  };
  const set = Object.entries(all).filter(([name]) => isSettable(name) && name !== "PWD");
  if (set.some(([, value]) => value.includes("\0"))) {
    const problem = "an argument or a variable contains a NUL character";
    throw new EngineError("environment.spawn_failed", { command: "(variables)", problem });
  }
  const chosen = new Set([...set.map(([name]) => name), ...(selected["PWD"] === undefined ? [] : ["PWD"])]);
  const hidden = ["OLDPWD", ...Object.keys(facts.variables)].filter((name) => isSettable(name) && !chosen.has(name));
  return { set: Object.fromEntries(set), unset: hidden };
}

function isSettable(name: string): boolean {
  return NAME.test(name) && !READ_ONLY.has(name);
}
