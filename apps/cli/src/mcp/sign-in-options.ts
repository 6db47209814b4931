/** Options of the commands `mcp login` and `mcp logout`. */
export interface SignInCommandOptions {
  /** File with the MCP servers. */
  readonly mcpConfig?: string;
  /** Maximum time to wait for the login, in seconds. */
  readonly wait?: number;
  /** Loopback port for the redirect. */
  readonly port?: number;
}
