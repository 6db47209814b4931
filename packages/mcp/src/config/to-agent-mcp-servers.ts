import { type AgentMcpServer, EngineError } from "@switchyard/contracts";
import type { McpServerConfig, McpServers } from "./mcp-server-config.ts";
import { type EnvironmentRecord, resolveServerConfig } from "./resolve-server-config.ts";

/**
 * Rejects a server configuration that selects tools, because a third-party agent starts the servers itself and uses all
 * their tools.
 */
function assertHeeded(name: string, config: McpServerConfig): void {
  for (const setting of ["includeTools", "excludeTools"] as const) {
    if (config[setting] === undefined) continue;
    const problem =
      "a third-party agent always gets all tools of a server; restrict the tools in the agent's own settings";
    throw new EngineError("config.invalid", { field: `mcpServers.${name}.${setting}`, problem });
  }
}

function toAgentServer(name: string, config: McpServerConfig, env: EnvironmentRecord): AgentMcpServer {
  assertHeeded(name, config);
  const resolved = resolveServerConfig(name, config, env);
  if (resolved.kind === "http") return { url: resolved.url.href, headers: resolved.headers };
  const [command = "", ...args] = resolved.argv;
  return { command, args, env: resolved.variables };
}

/**
 * Returns the servers of a configuration in the format of a third-party agent, with resolved references. The result
 * must not be stored. Throws `config.invalid` for an unset variable, and for a configuration that selects tools,
 * because the agent would ignore the selection.
 */
export function toAgentMcpServers(
  servers: McpServers,
  env: EnvironmentRecord = {},
): Readonly<Record<string, AgentMcpServer>> {
  return Object.fromEntries(Object.entries(servers).map(([name, config]) => [name, toAgentServer(name, config, env)]));
}
