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

/** What git is told about the folder of such a file: an agent may add all that is new to a commit. */
const IGNORE_ALL = "*\n";

/**
 * Writes the servers into a file in a new folder of the workspace, in the form `{"mcpServers": …}`: what servers are
 * started with may be secret, and arguments are seen by everybody. Only the user may look into the folder, and git
 * passes it over. Nothing is written without servers. agent-adapter: MCP.
 */
export async function writeMcpConfig(
  environment: ExecutionEnvironment,
  servers: AgentMcpServers | undefined,
  folder: string,
): Promise<McpConfigFile | undefined> {
  if (servers === undefined || Object.keys(servers).length === 0) return undefined;
  const path = `${folder}/servers.json`;
  const remove = (): Promise<void> => environment.remove(folder).catch(() => {});
  try {
    await environment.makeDirectory(folder);
    // Before anything is in it. Where there is no such command, the folder is as open as the workspace.
    if (environment.platform !== "windows") await environment.exec(["chmod", "700", folder]).catch(() => {});
    await environment.writeFile(`${folder}/.gitignore`, IGNORE_ALL);
    await environment.writeFile(path, JSON.stringify({ mcpServers: servers }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
