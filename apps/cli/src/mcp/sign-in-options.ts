/** Options of the commands `mcp login` and `mcp logout`. */
export interface SignInCommandOptions {
  /** File with the MCP servers. */
  readonly mcpConfig?: string;
  /** Seconds until somebody has signed in. */
  readonly wait?: number;
  /** Port on loopback. */
  readonly port?: number;
}
