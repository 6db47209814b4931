import { isRecord } from "../files/is-record.ts";

/** Facts about an engine that are known before it runs. */
export interface EngineFacts {
  /** Program that the engine runs in the environment. `undefined`: none, or unknown. */
  readonly command?: string | undefined;
  /** Whether the engine offers the tools of MCP servers. */
  readonly acceptsMcpServers: boolean;
  /**
   * Whether the engine reads its MCP servers from the workspace file `.mcp.json` instead of its configuration. Default:
   * false.
   */
  readonly readsMcpFile?: boolean | undefined;
}

/** Default programs of engines, for configurations that name no program. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["claude-code", "claude"],
  ["codex", "codex"],
  ["opencode", "opencode"],
  ["copilot", "copilot"],
  ["kiro", "kiro-cli"],
]);

/**
 * Returns the facts about an engine that are known from its name or its engine file. A custom engine that is a command
 * reads its MCP servers from a file in the workspace. A custom engine that is an HTTP service accepts no MCP servers.
 */
export function engineFactsOf(document: unknown): EngineFacts {
  if (typeof document === "string") return { command: COMMANDS.get(document), acceptsMcpServers: true };
  const outer = isRecord(document) ? document : {};
  const engine = isRecord(outer["engine"]) ? outer["engine"] : outer;
  const { name, custom, adapter } = engine;
  if (isRecord(custom) && name !== "agent") {
    const isCommand = custom["transport"] !== "http";
    return { command: commandOfCustom(custom), acceptsMcpServers: isCommand, readsMcpFile: isCommand };
  }
  const own = isRecord(adapter) ? adapter["command"] : undefined;
  if (own !== undefined) return { acceptsMcpServers: true };
  return { command: typeof name === "string" ? COMMANDS.get(name) : undefined, acceptsMcpServers: true };
}

/** A command with a variable, or with a path relative to a workspace, is unknown until the engine runs. */
function commandOfCustom({ local, env }: Readonly<Record<string, unknown>>): string | undefined {
  const command = isRecord(local) ? local["command"] : undefined;
  if (typeof command !== "string" || (isRecord(env) && env["PATH"] !== undefined)) return undefined;
  const isRelative = command.includes("/") && !command.startsWith("/");
  return isRelative || command.includes("$") || command === "" ? undefined : command;
}
