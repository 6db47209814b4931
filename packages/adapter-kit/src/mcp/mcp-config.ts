import { type AgentMcpServer, EngineError, type ExecutionEnvironment } from "@switchyard/contracts";

/** Servers by name. */
export type AgentMcpServers = Readonly<Record<string, AgentMcpServer>>;

/**
 * The servers of both, under their names. Throws `config.invalid` when a name of the host's own is taken, since an
 * agent would talk to the wrong one. agent-adapter: MCP.
 */
export function mergeMcpServers(own: AgentMcpServers, configured: AgentMcpServers): AgentMcpServers {
  const taken = Object.keys(own).find((name) => Object.hasOwn(configured, name));
  if (taken !== undefined) {
    throw new EngineError("config.invalid", { field: `mcpServers.${taken}`, problem: "the name belongs to the host" });
  }
  return { ...configured, ...own };
}

/** A file with MCP servers in the workspace of a session. */
export interface McpConfigFile {
  /** Absolute path. */
  readonly path: string;
  /** Removes the file. */
  remove(): Promise<void>;
}

/**
 * Writes the servers into a file of the workspace, in the form `{"mcpServers": …}`: what servers are started with
 * may be secret, and arguments are seen by everybody. Nothing is written without servers. agent-adapter: MCP.
 */
export async function writeMcpConfig(
  environment: ExecutionEnvironment,
  servers: AgentMcpServers | undefined,
  path: string,
): Promise<McpConfigFile | undefined> {
  if (servers === undefined || Object.keys(servers).length === 0) return undefined;
  await environment.writeFile(path, JSON.stringify({ mcpServers: servers }));
  return { path, remove: () => environment.remove(path).catch(() => {}) };
}
