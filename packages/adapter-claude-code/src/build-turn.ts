import type { AgentSettings, ModelEndpoint, TurnInvocation, TurnRequest } from "@switchyard/adapter-kit";
import type { ClaudeCodeConfig } from "./claude-code-config.ts";

function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)];
}

/**
 * Joins the values of a flag into one argument. With separate values, the flag would take the following argument as one
 * more value.
 */
function listFlag(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`${name}=${values.join(",")}`];
}

function smaller(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

/** Returns the permission flags. By default edits and commands are denied without asking. */
function permissions({ trustAllTools, permissionMode }: ClaudeCodeConfig): string[] {
  return trustAllTools ? ["--dangerously-skip-permissions"] : ["--permission-mode", permissionMode ?? "dontAsk"];
}

/**
 * Returns the arguments that pass settings on the command line. These settings take precedence over the user's
 * settings. The address of the model gateway may be visible to other users, because it is not secret.
 */
function settingsOf({ disableHooks }: ClaudeCodeConfig, endpoint: ModelEndpoint | undefined): string[] {
  const settings = {
    ...(disableHooks ? { disableAllHooks: true } : {}),
    ...(endpoint === undefined ? {} : { env: { ANTHROPIC_BASE_URL: endpoint.baseUrl("anthropic-messages") } }),
  };
  return Object.keys(settings).length === 0 ? [] : ["--settings", JSON.stringify(settings)];
}

/**
 * Returns the arguments of a turn. The prompt is passed on standard input, which has no length limit and is not visible
 * to other users. The first turn of a new session passes the session id that the adapter chose. Later turns resume that
 * session. `variables` are those of the agent. They include the API key that the configuration names.
 */
export function buildTurn(
  config: ClaudeCodeConfig,
  request: TurnRequest<ModelEndpoint | undefined>,
  variables: AgentSettings["variables"],
): TurnInvocation {
  const { turn, sessionId, isResumed, prompt, mcpConfigPath, maxTurns } = request;
  const isNew = turn === 1 && !isResumed;
  const args = [
    ...["-p", "--output-format", "stream-json", "--verbose"],
    ...permissions(config),
    // Workspace settings can run commands, so they are used only if the workspace is trusted. See architecture:
    // decision 20.
    ...(config.trustProject ? [] : ["--setting-sources", "user"]),
    ...settingsOf(config, request.state),
    ...(isNew ? flag("--session-id", sessionId === "" ? undefined : sessionId) : ["--resume", sessionId]),
    ...flag("--model", config.model),
    ...flag("--fallback-model", config.fallbackModel),
    ...flag("--max-turns", smaller(config.maxTurns, maxTurns)),
    ...flag("--max-budget-usd", config.maxBudgetUsd),
    ...flag("--effort", config.effort),
    ...listFlag("--allowedTools", config.allowedTools),
    ...listFlag("--disallowedTools", config.disallowedTools),
    ...flag("--append-system-prompt", config.appendSystemPrompt),
    ...(mcpConfigPath === undefined ? [] : [`--mcp-config=${mcpConfigPath}`, "--strict-mcp-config"]),
  ];
  const key = config.apiKeyEnv === undefined ? undefined : variables[config.apiKeyEnv];
  const env = {
    ...{ NO_COLOR: "1", DISABLE_AUTOUPDATER: "1" },
    ...(config.baseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: config.baseUrl }),
    // Servers with the API of Anthropic read the key from different headers, which depend on the variable.
    ...(key === undefined ? {} : { ANTHROPIC_API_KEY: key.reveal(), ANTHROPIC_AUTH_TOKEN: key.reveal() }),
    // Without this variable, `claude` as root refuses to run without permission prompts.
    ...(config.allowRoot ? { IS_SANDBOX: "1" } : {}),
  };
  return { args, stdin: prompt, env };
}
