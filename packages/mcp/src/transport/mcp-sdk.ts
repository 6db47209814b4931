/** The SDK, which is loaded with the first server. */
export type McpSdk = typeof import("@modelcontextprotocol/client");
