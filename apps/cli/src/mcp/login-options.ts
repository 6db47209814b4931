/** Options of the commands `mcp login` and `mcp logout`. */
export interface LoginCommandOptions {
  /** Configuration file of the MCP servers. */
  readonly mcpConfig?: string;
  /** Maximum time to wait for the login, in seconds. */
  readonly wait?: number;
  /** Loopback port that receives the OAuth redirect. */
  readonly port?: number;
}
