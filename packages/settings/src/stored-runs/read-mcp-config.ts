import type { McpServers } from "@switchyard/mcp";
import type { SettingsContext } from "../settings-context.ts";
import type { FileReference } from "./file-reference.ts";
import { assertUnchanged, readNamedFile } from "./named-file.ts";

/** Configuration file of MCP servers. */
export interface McpConfig {
  /** Reference to the file that is stored with the run. */
  readonly reference: FileReference;
  /** MCP servers by name. */
  readonly servers: McpServers;
}

/**
 * Reads a configuration file of MCP servers: one that the user named by its path, or the one with which a run started.
 * Rejects with `input.*`. Rejects with `config.invalid` if the content is invalid, or if the file of a run has changed
 * since the run started.
 */
export async function readMcpConfig(
  context: Pick<SettingsContext, "workingDirectory">,
  file: string | FileReference,
): Promise<McpConfig> {
  const path = typeof file === "string" ? file : file.path;
  const { reference, text } = await readNamedFile(context, path);
  if (typeof file !== "string") assertUnchanged(reference, file, "--mcp-config");
  const [{ parseMcpConfig }, { parseJson }] = await Promise.all([
    import("@switchyard/mcp"),
    import("@switchyard/runner"),
  ]);
  return { reference, servers: parseMcpConfig(await parseJson(text, path)) };
}
