import type { TurnInvocation, TurnRequest } from "@switchyard/adapter-kit";
import type { CopilotConfig } from "./copilot-config.ts";

/** Default maximum number of times that `copilot` continues without a further prompt. */
const MAX_CONTINUES = 50;

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}=${value}`];
}

/**
 * Joins a flag and its value into one argument. With separate arguments, the flag would take the following argument as
 * one more value.
 */
function flags(name: string, values: readonly string[]): string[] {
  return values.map((value) => `${name}=${value}`);
}

/** Returns the permission flags. No user is asked: actions that need a permission are denied. */
function permissions(config: CopilotConfig): string[] {
  return [
    ...(config.trustAllTools ? ["--allow-all"] : flags("--allow-tool", config.allowedTools)),
    ...flags("--deny-tool", config.deniedTools),
    ...flags("--available-tools", config.availableTools),
    ...flags("--excluded-tools", config.excludedTools),
  ];
}

/**
 * Returns the flags for autopilot mode. The default limit is higher than that of `copilot`, which is too low for most
 * tasks.
 */
function autopilot({ autopilot: isOn, maxContinues }: CopilotConfig): string[] {
  return isOn ? ["--autopilot", `--max-autopilot-continues=${maxContinues ?? MAX_CONTINUES}`] : [];
}

/**
 * Returns the arguments of a turn. The prompt and its flag are one argument, so that a prompt may begin with a dash.
 * The first turn of a new session passes the session id that the adapter chose. Later turns resume that session.
 */
export function buildTurn(config: CopilotConfig, request: TurnRequest<unknown>): TurnInvocation {
  const { turn, sessionId, isResumed, prompt, mcpConfigPath } = request;
  const isNew = turn === 1 && !isResumed;
  const args = [
    ...["--output-format=json", "--no-color", "--no-ask-user", "--no-auto-update"],
    ...permissions(config),
    ...autopilot(config),
    ...flag(isNew ? "--session-id" : "--resume", sessionId),
    ...flag("--model", config.model),
    ...flag("--agent", config.agent),
    // `@` marks a path. Without it, `copilot` would parse the path as JSON configuration.
    ...(mcpConfigPath === undefined ? [] : [`--additional-mcp-config=@${mcpConfigPath}`]),
    ...(config.trustProject ? ["--trust-folder"] : []),
    ...(config.disableBuiltinMcps ? ["--disable-builtin-mcps"] : []),
    ...(config.noCustomInstructions ? ["--no-custom-instructions"] : []),
    `--prompt=${prompt}`,
  ];
  return { args, env: { NO_COLOR: "1", COPILOT_AUTO_UPDATE: "false" } };
}
