import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import { readText } from "../input/read-json.ts";
import type { World } from "../world/world.ts";

/** A file with MCP servers that a run began with: what is kept of it. */
export interface KeptMcpConfig {
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string;
}

/** A file with MCP servers. */
export interface McpConfig {
  /** What is kept of it. */
  readonly kept: KeptMcpConfig;
  /** The servers by name. */
  readonly servers: McpServers;
}

/** Reads a file with MCP servers that the user named. Throws `input.*` and `config.invalid`. */
export async function readMcpConfig(world: World, path: string): Promise<McpConfig> {
  const file = resolve(world.workingDirectory, path);
  const text = await readText(file, path);
  const [{ parseMcpConfig }, { parseJson }] = await Promise.all([
    import("@switchyard/mcp"),
    import("@switchyard/runner"),
  ]);
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { kept: { path: file, sha256 }, servers: parseMcpConfig(await parseJson(text, path)) };
}

/**
 * Reads the file that a run began with again. Throws `config.invalid` where it is another one by now: the agent may have
 * written it, and what it names is started with the user's variables. architecture: decision 20.
 */
export async function readKeptMcpConfig(world: World, { path, sha256 }: KeptMcpConfig): Promise<McpConfig> {
  const config = await readMcpConfig(world, path);
  if (config.kept.sha256 === sha256) return config;
  const problem = `${path} has changed since the run began; look at it and name it again`;
  throw new EngineError("config.invalid", { field: "--mcp-config", problem });
}
