import { toolDefinitions } from "@switchyard/agent";
import { cutToWidth, renderTable, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { profileOf, type ToolOptions } from "./profile-of.ts";

/**
 * Lists the tools of a model family. The JSON output contains the tool definitions exactly as a model receives them.
 * Resolves with the exit code.
 */
export async function listTools({ stdout }: CommandContext, options: ToolOptions): Promise<number> {
  const tools = toolDefinitions(await profileOf(options));
  const columns = stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
  const rows = tools.map(({ name, description }) => [name, description.split("\n", 1)[0] ?? ""]);
  const lines =
    options.json === true ? [toPlainJson(tools)] : renderTable(rows).map((line) => cutToWidth(line, columns));
  stdout.write(`${lines.join("\n")}\n`);
  return 0;
}
