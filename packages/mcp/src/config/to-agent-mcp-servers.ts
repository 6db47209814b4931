import { type AgentMcpServer, EngineError } from "@switchyard/contracts";
import type { McpServerConfig, McpServers } from "./mcp-server-config.ts";
import { type EnvironmentRecord, resolveServerConfig } from "./resolve-server-config.ts";

/** Another agent starts the servers by itself, and takes all their tools. */
function assertHeeded(name: string, config: McpServerConfig): void {
  for (const setting of ["includeTools", "excludeTools"] as const) {
    if (config[setting] === undefined) continue;
    const problem = "an agent of its own is offered all tools of a server; say in its own settings which it may use";
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
 * The servers of a configuration as another agent is told of them, with the values of what they refer to: keep what it
 * gives nowhere. Throws `config.invalid` where a variable is not set, and for a choice of tools, which nobody would heed.
 */
export function toAgentMcpServers(
  servers: McpServers,
  env: EnvironmentRecord = {},
): Readonly<Record<string, AgentMcpServer>> {
  return Object.fromEntries(Object.entries(servers).map(([name, config]) => [name, toAgentServer(name, config, env)]));
}
