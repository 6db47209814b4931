import { type EngineFile, readEngineFile as read } from "@switchyard/engine-catalog";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Reads an engine configuration in YAML or JSON, and prints a warning about ignored settings. Rejects with
 * `input.unreadable` and `config.malformed`.
 */
export async function readEngineFile(context: CommandContext, path: string): Promise<EngineFile> {
  const file = await read(context, path);
  if (file.warning !== undefined) {
    context.stderr.write(`warning: ${neutraliseControls(`${path}: ${file.warning}`)}\n`);
  }
  return file;
}
