// Exports for users: connections to configured MCP servers, and their tools.

export type { LoginOptions } from "./authorization/login-to-server.ts";
export { loginToServer } from "./authorization/login-to-server.ts";
export type { McpLogin, McpLogins } from "./authorization/mcp-login.ts";
export { addressOfServer, mcpLoginSecrets } from "./authorization/server-logins.ts";
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
