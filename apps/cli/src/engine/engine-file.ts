import { type EngineFile, readEngineFile as read } from "@switchyard/engine-catalog";
import type { FileReference } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Reads an engine configuration that the user named or with which a run started, and prints a warning about ignored
 * settings. Rejects with `input.unreadable`, `config.malformed` and `config.invalid`.
 */
export async function readEngineFile(context: CommandContext, file: string | FileReference): Promise<EngineFile> {
  const { warning, ...engineFile } = await read(context, file);
  const path = typeof file === "string" ? file : file.path;
  if (warning !== undefined) context.stderr.write(`warning: ${neutraliseControls(`${path}: ${warning}`)}\n`);
  return engineFile;
}
