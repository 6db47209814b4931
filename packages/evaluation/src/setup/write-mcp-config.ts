import { lstat, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../files/is-record.ts";
import { toMcpServers } from "../simulated-server/simulated-mcp-server.ts";
import type { EvalMcpServer } from "../suite/eval-suite.ts";

/** File with the MCP servers of a project, which many agents read. */
const MCP_FILE = ".mcp.json";

/**
 * Adds MCP servers to the file `.mcp.json` of a workspace. Servers with other names that the file already contains
 * stay. References to environment variables, `${NAME}`, are not replaced: the agent resolves them, and no secret is
 * written to the file.
 */
export async function writeMcpConfig(folder: string, servers: Readonly<Record<string, EvalMcpServer>>): Promise<void> {
  const path = join(folder, MCP_FILE);
  const found = await lstat(path).catch(() => undefined);
  const before: unknown = found?.isFile() === true ? JSON.parse(await readFile(path, "utf8")) : {};
  const config = isRecord(before) ? before : {};
  const known = isRecord(config["mcpServers"]) ? config["mcpServers"] : {};
  const added = Object.entries(toMcpServers(servers)).map(([name, { required: _, ...server }]) => [name, server]);
  if (found !== undefined) await rm(path, { recursive: true });
  const mcpServers = { ...known, ...Object.fromEntries(added) };
  await writeFile(path, `${JSON.stringify({ ...config, mcpServers }, undefined, 2)}\n`);
}
