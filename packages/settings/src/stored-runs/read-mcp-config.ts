import type { McpServers } from "@switchyard/mcp";
import type { SettingsContext } from "../settings-context.ts";
import type { FileReference } from "./file-reference.ts";
import { assertUnchanged, readNamedFile } from "./named-file.ts";

/** Folder against which relative paths are resolved. */
type Folder = Pick<SettingsContext, "workingDirectory">;

/** Configuration file of MCP servers. */
export interface McpConfig {
  /** Reference to the file that is stored with the run. */
  readonly reference: FileReference;
  /** MCP servers by name. */
  readonly servers: McpServers;
}

/** Reads a configuration file of MCP servers that the user named. Rejects with `input.*` and `config.invalid`. */
export async function readMcpConfig(context: Folder, path: string): Promise<McpConfig> {
  const { reference, text } = await readNamedFile(context, path);
  const [{ parseMcpConfig }, { parseJson }] = await Promise.all([
    import("@switchyard/mcp"),
    import("@switchyard/runner"),
  ]);
  return { reference, servers: parseMcpConfig(await parseJson(text, path)) };
}

/**
 * Reads the configuration file of MCP servers with which the run started. Rejects with `config.invalid` if the file has
 * changed.
 */
export async function readStoredMcpConfig(context: Folder, stored: FileReference): Promise<McpConfig> {
  const config = await readMcpConfig(context, stored.path);
  assertUnchanged(config.reference, stored, "--mcp-config");
  return config;
}
