import type { McpServer } from "@agentclientprotocol/sdk";
import { RequestError } from "@agentclientprotocol/sdk";
import type { McpServers } from "@switchyard/mcp";

/** Converts MCP servers from the editor's format to the agent's format. Throws `RequestError` for unsupported kinds. */
export function toMcpServers(servers: readonly McpServer[]): McpServers | undefined {
  if (servers.length === 0) return undefined;
  return Object.fromEntries(servers.map((server) => [server.name, toServer(server)]));
}

function toServer(server: McpServer): McpServers[string] {
  if ("command" in server) {
    const { command, args, env } = server;
    return { command, args, env: Object.fromEntries(env.map(({ name, value }) => [name, value])) };
  }
  if (server.type !== "http")
    throw RequestError.invalidParams({ type: server.type }, "only stdio and http servers are supported");
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return { url: server.url, headers };
}
