import type { McpServers } from "@switchyard/mcp";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";

/** Says that an engine gets none of the MCP servers. They may come from the user's own settings, so nothing fails for it. */
export function warnOfLeftOutServers(world: World, engine: string, servers: McpServers | undefined): void {
  const names = Object.keys(servers ?? {});
  if (names.length === 0) return;
  const told = `the engine ${engine} takes no MCP servers, so it goes without ${names.join(", ")}`;
  world.stderr.write(`warning: ${neutraliseControls(told)}\n`);
}
