import { EngineError, type EnvironmentVariables, type ExecutionEnvironment } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { ModelEndpoint } from "../redirect/model-redirect.ts";
import { assertWorkspace } from "./assert-workspace.ts";
import { type LaunchCommand, parseCommand } from "./parse-command.ts";

/** Time limit for finding a program, in milliseconds. */
const LOOKUP_MS = 30_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** Options for `resolveLaunchTarget`. */
export interface LaunchRequest {
  /** Environment to run in. */
  readonly environment: ExecutionEnvironment;
  /** Absolute path of the working folder. */
  readonly workspacePath: string;
  /** Configured command. Default: `defaultCommand`. */
  readonly command?: string | readonly string[] | undefined;
  /** Default command of the agent. */
  readonly defaultCommand: string;
  /** Environment variables in addition to core ones such as `PATH`, by name. */
  readonly variables: Readonly<Record<string, Secret>>;
  /** Environment variables that are not secret, by name. Default: none. */
  readonly plainVariables?: Readonly<Record<string, string>> | undefined;
  /** Endpoint to which the agent's model calls are redirected. Default: they are not redirected. */
  readonly modelEndpoint?: ModelEndpoint | undefined;
  /** Cancels the search for the program when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Program that runs the agent's turns, and the workspace and environment in which it runs. See agent-adapter:
 * LaunchTarget.
 */
export interface LaunchTarget {
  /** Environment to run in. */
  readonly environment: ExecutionEnvironment;
  /** Validated working folder. */
  readonly workspacePath: string;
  /** Program and leading arguments. */
  readonly command: LaunchCommand;
  /** True if the agent runs on another machine over SSH. Local credentials are then not checked. */
  readonly isRemote: boolean;
  /** Environment variables in addition to core ones such as `PATH`. */
  readonly variables: Readonly<Record<string, Secret>>;
  /** Environment variables that are not secret. `undefined` if there are none. */
  readonly plainVariables?: Readonly<Record<string, string>> | undefined;
  /** Endpoint to which the agent's model calls are redirected. `undefined` if the agent calls models directly. */
  readonly modelEndpoint?: ModelEndpoint | undefined;
}

/**
 * Checks the workspace and finds the program, without starting it. Rejects with `adapter.invalid_workspace_cwd` or
 * `adapter.agent_not_found`. See agent-adapter: resolve the launch target.
 */
export async function resolveLaunchTarget(request: LaunchRequest): Promise<LaunchTarget> {
  const { environment, workspacePath, defaultCommand, plainVariables, modelEndpoint } = request;
  await assertWorkspace(environment, workspacePath);
  const command = parseCommand(request.command, defaultCommand);
  const variables = checkedVariables(request.variables);
  const isRemote = environment.name.startsWith("ssh:");
  const target = { environment, workspacePath, command, variables, plainVariables, modelEndpoint, isRemote };
  await assertProgram(target, request.signal);
  return target;
}

/** Checks the names of variables and drops blank values. See agent-adapter: credentials. */
function checkedVariables(variables: Readonly<Record<string, Secret>>): Readonly<Record<string, Secret>> {
  const wrong = Object.keys(variables).find((name) => !NAME.test(name));
  if (wrong !== undefined) {
    throw new EngineError("config.invalid", {
      field: "env",
      problem: `${JSON.stringify(wrong)} is not the name of a variable`,
    });
  }
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value.reveal().trim() !== ""));
}

/**
 * Checks that the program exists in the environment in which it will run. The environment may have other programs than
 * the host.
 */
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

/**
 * Returns the environment variables of the agent's processes: core variables, variables of the configuration, and
 * variables of this turn. See architecture: decision 19.
 */
export function variablesOf(
  { variables, plainVariables, workspacePath }: Pick<LaunchTarget, "variables" | "plainVariables" | "workspacePath">,
  further: Readonly<Record<string, string>> = {},
): EnvironmentVariables {
  const revealed = Object.entries(variables).map(([name, value]) => [name, value.reveal()]);
  return {
    policy: "core",
    set: { ...Object.fromEntries(revealed), ...plainVariables, ...further, PWD: workspacePath },
  };
}
