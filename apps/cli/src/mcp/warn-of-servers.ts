import type { McpServers } from "@switchyard/mcp";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Prints a warning if an engine does not support MCP servers, with the names of the ignored servers. Not an error,
 * because the servers may come from the user's settings.
 */
export function warnOfServers(context: CommandContext, engine: string, servers: McpServers | undefined): void {
  const names = Object.keys(servers ?? {});
  if (names.length === 0) return;
  const problem = `the engine ${engine} does not support MCP servers, so it runs without ${names.join(", ")}`;
  context.stderr.write(`warning: ${neutraliseControls(problem)}\n`);
}
