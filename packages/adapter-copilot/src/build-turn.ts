import type { TurnInvocation, TurnRequest } from "@switchyard/adapter-kit";
import type { CopilotConfig } from "./copilot-config.ts";

/** Messages with which the command may go on by itself, at most, where nothing is said. */
const MAX_CONTINUES = 50;

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}=${value}`];
}

/** One word each: a list would swallow what follows it. */
function flags(name: string, values: readonly string[]): string[] {
  return values.map((value) => `${name}=${value}`);
}

/** Nobody is asked: what would need a permission is denied, and the agent works round it. */
function permissions(config: CopilotConfig): string[] {
  return [
    ...(config.trustAllTools ? ["--allow-all"] : flags("--allow-tool", config.allowedTools)),
    ...flags("--deny-tool", config.deniedTools),
    ...flags("--available-tools", config.availableTools),
    ...flags("--excluded-tools", config.excludedTools),
  ];
}

/** A number that is not there leaves the limit to us: the command's own is too small for a task. */
function autopilot({ autopilot: isOn, maxContinues }: CopilotConfig): string[] {
  return isOn ? ["--autopilot", `--max-autopilot-continues=${maxContinues ?? MAX_CONTINUES}`] : [];
}

/**
 * The arguments of one turn. The prompt is a single word with its flag, so that one which begins with a dash stays a
 * prompt. The first turn of a new session names the id that we mint, every other one continues by it.
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
    // Without the sign in front, a path is taken for the configuration itself.
    ...(mcpConfigPath === undefined ? [] : [`--additional-mcp-config=@${mcpConfigPath}`]),
    ...(config.trustProject ? ["--trust-folder"] : []),
    ...(config.disableBuiltinMcps ? ["--disable-builtin-mcps"] : []),
    ...(config.noCustomInstructions ? ["--no-custom-instructions"] : []),
    `--prompt=${prompt}`,
  ];
  return { args, env: { NO_COLOR: "1", COPILOT_AUTO_UPDATE: "false" } };
}
