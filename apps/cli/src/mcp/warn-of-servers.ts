import type { McpServers } from "@switchyard/mcp";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Says that an engine takes no MCP servers, and which are left out. They may be of the user's settings: it runs without. */
export function warnOfServers(context: CommandContext, engine: string, servers: McpServers | undefined): void {
  const names = Object.keys(servers ?? {});
  if (names.length === 0) return;
  const problem = `the engine ${engine} takes no MCP servers, so it runs without ${names.join(", ")}`;
  context.stderr.write(`warning: ${neutraliseControls(problem)}\n`);
}
