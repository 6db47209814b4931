import { EngineError, type EnvironmentVariables, type ExecutionEnvironment } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { assertWorkspace } from "./assert-workspace.ts";
import { type LaunchCommand, parseCommand } from "./parse-command.ts";

/** Milliseconds that looking for a program may take. */
const LOOKUP_MS = 30_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** What a target is resolved from. */
export interface LaunchRequest {
  /** Where it runs. */
  readonly environment: ExecutionEnvironment;
  /** Folder it runs in, absolute. */
  readonly workspacePath: string;
  /** The configured command; the standard one where there is none. */
  readonly command?: string | readonly string[] | undefined;
  /** The agent's usual command. */
  readonly defaultCommand: string;
  /** Variables beyond the core ones, by name. */
  readonly variables: Readonly<Record<string, Secret>>;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** What is started in each turn, and where. agent-adapter: LaunchTarget. */
export interface LaunchTarget {
  /** Where it runs. */
  readonly environment: ExecutionEnvironment;
  /** Validated folder. */
  readonly workspacePath: string;
  /** Program and leading arguments. */
  readonly command: LaunchCommand;
  /** Whether it runs on another machine over SSH: checks of local credentials have no meaning there. */
  readonly isRemote: boolean;
  /** Variables beyond the core ones. */
  readonly variables: Readonly<Record<string, Secret>>;
}

/**
 * Checks the workspace and finds the program, without starting it. Rejects with `adapter.invalid_workspace_cwd` and
 * `adapter.agent_not_found`. agent-adapter: resolve the launch target.
 */
export async function resolveLaunchTarget(request: LaunchRequest): Promise<LaunchTarget> {
  const { environment, workspacePath, defaultCommand } = request;
  await assertWorkspace(environment, workspacePath);
  const command = parseCommand(request.command, defaultCommand);
  const variables = carriedVariables(request.variables);
  const target = { environment, workspacePath, command, variables, isRemote: environment.name.startsWith("ssh:") };
  await assertProgram(target, request.signal);
  return target;
}

/** Names are checked, and blank values stay behind. agent-adapter: credentials. */
function carriedVariables(given: Readonly<Record<string, Secret>>): Readonly<Record<string, Secret>> {
  const wrong = Object.keys(given).find((name) => !NAME.test(name));
  if (wrong !== undefined) {
    throw new EngineError("config.invalid", {
      field: "env",
      problem: `${JSON.stringify(wrong)} is no variable's name`,
    });
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.reveal().trim() !== ""));
}

/** The program is looked for where it will run; there it may be another one than here. */
async function assertProgram(target: LaunchTarget, signal: AbortSignal | undefined): Promise<void> {
  const { environment, workspacePath, command } = target;
  if (environment.platform === "windows") return;
  const [program] = command;
  const found = await environment.exec(["sh", "-c", 'command -v -- "$1" >/dev/null', "sh", program], {
    ...{ cwd: workspacePath, timeoutMs: LOOKUP_MS, env: variablesOf(target) },
    ...(signal === undefined ? {} : { signal }),
  });
  if (found.aborted) throw new EngineError("adapter.turn_cancelled");
  if (found.exitCode !== 0) throw new EngineError("adapter.agent_not_found", { command: program });
}

/** The variables of the agent's processes: the core ones, those of the configuration, and those of this turn. decision 19 */
export function variablesOf(
  { variables, workspacePath }: Pick<LaunchTarget, "variables" | "workspacePath">,
  further: Readonly<Record<string, string>> = {},
): EnvironmentVariables {
  const revealed = Object.entries(variables).map(([name, value]) => [name, value.reveal()]);
  return { policy: "core", set: { ...Object.fromEntries(revealed), ...further, PWD: workspacePath } };
}
