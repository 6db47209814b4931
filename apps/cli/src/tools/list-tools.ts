import { toolDefinitions } from "@switchyard/agent";
import type { ToolNames } from "@switchyard/settings";
import { cutToWidth, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import type { ProfileName } from "../model/profile-name.ts";
import { profileOf } from "./profile-of.ts";

/** Options of the command `tools list`. */
export interface ListToolsOptions {
  /** Model family that the tools are designed for. */
  profile: ProfileName;
  /** Set of tool names. */
  toolNames?: ToolNames;
  /** Whether `web_fetch` is available. */
  web?: boolean;
  /** Whether to print the definitions as JSON. */
  json?: boolean;
}

/**
 * Lists the tools of a model family. The JSON output contains the tool definitions exactly as a model receives them.
 * Resolves with the exit code.
 */
export async function listTools(context: CommandContext, options: ListToolsOptions): Promise<number> {
  const tools = toolDefinitions(await profileOf(options));
  if (options.json === true) {
    context.stdout.write(`${toPlainJson(tools)}\n`);
    return 0;
  }
  const width = Math.max(...tools.map(({ name }) => name.length));
  const columns = context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY;
  for (const { name, description } of tools) {
    const [firstLine = ""] = description.split("\n");
    context.stdout.write(`${cutToWidth(`${name.padEnd(width)}  ${firstLine}`, columns)}\n`);
  }
  return 0;
}
