/** The MCP SDK. It is loaded when the first server is started. */
export type McpSdk = typeof import("@modelcontextprotocol/client");
