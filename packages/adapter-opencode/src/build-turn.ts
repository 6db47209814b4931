import { redirectedOpencodeSettings, type TurnInvocation, type TurnRequest } from "@switchyard/adapter-kit";
import type { AgentMcpServer } from "@switchyard/contracts";
import type { OpencodeConfig } from "./opencode-config.ts";
import type { OpencodeState } from "./opencode-state.ts";

function flag(name: string, value: string | undefined): string[] {
  return value === undefined || value === "" ? [] : [name, value];
}

/**
 * Returns the arguments and environment variables of a turn. The prompt is passed on standard input, because `opencode`
 * would add quotes to an argument with spaces. See agent-adapter: OpenCode.
 */
export function buildTurn(config: OpencodeConfig, request: TurnRequest<OpencodeState>): TurnInvocation {
  const { sessionId, prompt, state } = request;
  state.beginTurn();
  const args = [
    ...["run", "--format", "json", "--dir", state.target.workspacePath],
    ...flag("--session", sessionId),
    ...flag("--model", config.model),
    ...flag("--agent", config.agent),
    ...flag("--variant", config.variant),
    ...(config.thinking ? ["--thinking"] : []),
    ...(config.pure ? ["--pure"] : []),
  ];
  return { args, stdin: prompt, env: variablesOf(config, state) };
}

/**
 * Returns the environment variables of the `opencode` process. All of them are set, so that inherited values have no
 * effect.
 */
function variablesOf(config: OpencodeConfig, { mcpServers, target }: OpencodeState): Record<string, string> {
  const { modelEndpoint } = target;
  const mcp = Object.entries(mcpServers).map(([name, server]) => [name, serverOf(server)] as const);
  return {
    NO_COLOR: "1",
    OPENCODE_AUTO_SHARE: "false",
    OPENCODE_DISABLE_AUTOUPDATE: "true",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "true",
    OPENCODE_DISABLE_AUTOCOMPACT: String(config.disableAutocompact),
    // Plugins and settings of untrusted workspaces are ignored, because they could run commands. See architecture:
    // decision 20.
    OPENCODE_DISABLE_PROJECT_CONFIG: String(!config.trustProject),
    OPENCODE_PERMISSION: JSON.stringify(config.permission),
    // MCP servers are passed in an environment variable: unlike arguments, other users cannot read it.
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      ...(mcp.length === 0 ? {} : { mcp: Object.fromEntries(mcp) }),
      ...(modelEndpoint === undefined ? providerOf(config) : redirectedOpencodeSettings(config, modelEndpoint)),
    }),
  };
}

/** Providers whose API has a package of its own in OpenCode. */
const PACKAGED: ReadonlySet<string> = new Set(["anthropic", "openai", "google", "openrouter"]);

/**
 * Returns the settings of the model's provider, if its address or its API key is configured. OpenCode reads the key
 * from the environment variable. The model's name may contain slashes after the provider.
 */
function providerOf({ model = "", baseUrl, apiKeyEnv }: OpencodeConfig): Readonly<Record<string, unknown>> {
  const slash = model.indexOf("/");
  if (slash < 0 || (baseUrl === undefined && apiKeyEnv === undefined)) return {};
  const [id, name] = [model.slice(0, slash), model.slice(slash + 1)];
  const options = {
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKey: `{env:${apiKeyEnv}}` }),
  };
  const isCustom = baseUrl !== undefined && !PACKAGED.has(id);
  const custom = isCustom ? { npm: "@ai-sdk/openai-compatible", name: id, models: { [name]: { name } } } : {};
  return { provider: { [id]: { ...custom, options } } };
}

function serverOf(server: AgentMcpServer): Readonly<Record<string, unknown>> {
  if ("url" in server) return { type: "remote", url: server.url, headers: server.headers ?? {}, enabled: true };
  const { command, args = [], env = {} } = server;
  return { type: "local", command: [command, ...args], environment: env, enabled: true };
}
