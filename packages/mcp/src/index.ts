// For users: servers of a configuration, and their tools.

export { mcpSecrets } from "./config/mcp-secrets.ts";
export type {
  HttpServerConfig,
  McpServerConfig,
  McpServerSettings,
  McpServers,
  McpTimeouts,
  StdioServerConfig,
} from "./config/mcp-server-config.ts";
export { parseMcpConfig } from "./config/parse-mcp-config.ts";
export type { EnvironmentRecord } from "./config/resolve-server-config.ts";
export type { ConnectOptions } from "./connect-mcp-servers.ts";
export { connectMcpServers } from "./connect-mcp-servers.ts";
// For tests: what is waited with.
export type { Timer } from "./connection/timer.ts";
export type { McpConnections, McpServerStatus } from "./mcp-connections.ts";
