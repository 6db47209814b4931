import type { McpServers } from "@switchyard/mcp";
import type { FileReference } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { assertUnchanged, readNamedFile } from "../input/file-reference.ts";

/** Configuration file of MCP servers. */
export interface McpConfig {
  /** Reference to the file that is stored with the run. */
  readonly reference: FileReference;
  /** MCP servers by name. */
  readonly servers: McpServers;
}

/** Reads a configuration file of MCP servers that the user named. Throws `input.*` and `config.invalid`. */
export async function readMcpConfig(context: CommandContext, path: string): Promise<McpConfig> {
  const { reference, text } = await readNamedFile(context, path);
  const [{ parseMcpConfig }, { parseJson }] = await Promise.all([
    import("@switchyard/mcp"),
    import("@switchyard/runner"),
  ]);
  return { reference, servers: parseMcpConfig(await parseJson(text, path)) };
}

/**
 * Reads the configuration file of MCP servers with which the run started. Throws `config.invalid` if the file has
 * changed.
 */
export async function readStoredMcpConfig(context: CommandContext, stored: FileReference): Promise<McpConfig> {
  const config = await readMcpConfig(context, stored.path);
  assertUnchanged(config.reference, stored, "--mcp-config");
  return config;
}
