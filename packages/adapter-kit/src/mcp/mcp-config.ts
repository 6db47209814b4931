import { type AgentMcpServer, EngineError, type ExecutionEnvironment } from "@switchyard/contracts";

/** MCP servers by name. */
export type AgentMcpServers = Readonly<Record<string, AgentMcpServer>>;

/**
 * Merges two sets of MCP servers. Throws `config.invalid` if both use a name, because the agent would call the wrong
 * server. See agent-adapter: MCP.
 */
export function mergeMcpServers(own: AgentMcpServers, configured: AgentMcpServers): AgentMcpServers {
  const duplicate = Object.keys(own).find((name) => Object.hasOwn(configured, name));
  if (duplicate !== undefined) {
    throw new EngineError("config.invalid", {
      field: `mcpServers.${duplicate}`,
      problem: "the name is reserved for the host",
    });
  }
  return { ...configured, ...own };
}

/** An MCP configuration file in the workspace of a session. */
export interface McpConfigFile {
  /** Absolute path. */
  readonly path: string;
  /** Removes the file. */
  remove(): Promise<void>;
}

/** Content of the folder's `.gitignore`. It ignores everything, because an agent may add all new files to a commit. */
const IGNORE_ALL = "*\n";

/**
 * Writes MCP servers to a file in a new folder of the workspace, in the form `{"mcpServers": …}`. A file is used
 * because server settings may be secret, while arguments are visible to all users. Only the user can read the folder,
 * and git ignores it. Without servers, nothing is written. See agent-adapter: MCP.
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
    // Permissions are set while the folder is still empty. Without the program `chmod`, the folder keeps its default
    // permissions.
    if (environment.platform !== "windows") await environment.exec(["chmod", "700", folder]).catch(() => {});
    await environment.writeFile(`${folder}/.gitignore`, IGNORE_ALL);
    await environment.writeFile(path, JSON.stringify({ mcpServers: servers }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
