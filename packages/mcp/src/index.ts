// Exports for users: connections to configured MCP servers, and their tools.

export { mcpSecrets } from "./config/mcp-secrets.ts";
export type {
  HttpServerConfig,
  McpOAuthConfig,
  McpServerConfig,
  McpServerSettings,
  McpServers,
  McpTimeouts,
  StdioServerConfig,
} from "./config/mcp-server-config.ts";
export { parseMcpConfig } from "./config/parse-mcp-config.ts";
export type { EnvironmentRecord } from "./config/resolve-server-config.ts";
export { toAgentMcpServers } from "./config/to-agent-mcp-servers.ts";
export type { ConnectOptions } from "./connect-mcp-servers.ts";
export { connectMcpServers } from "./connect-mcp-servers.ts";
// For tests: the timer.
export type { Timer } from "./connection/timer.ts";
export type { McpConnections, McpServerStatus } from "./mcp-connections.ts";
export { createMcpPool, type McpPool, type McpPoolOptions } from "./mcp-pool.ts";
export type { McpLogin, McpLogins } from "./sign-in/mcp-sign-in.ts";
export { addressOfServer, mcpLoginSecrets } from "./sign-in/server-sign-ins.ts";
export type { LoginOptions } from "./sign-in/sign-in-to-server.ts";
export { loginToServer } from "./sign-in/sign-in-to-server.ts";
