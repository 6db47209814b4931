import type { FileReference } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { assertUnchanged, readNamedFile } from "../input/file-reference.ts";

/** Engine configuration file named by the user. */
export interface EngineFile {
  /** Path and digest of the file, as stored with the run. */
  readonly reference: FileReference;
  /** Parsed content. */
  readonly document: unknown;
}

/** Reads an engine configuration in YAML or JSON. Throws `input.unreadable` and `config.malformed`. */
export async function readEngineFile(context: CommandContext, path: string): Promise<EngineFile> {
  const { reference, text } = await readNamedFile(context, path);
  const [{ parseEngineFile }, { engineSettingsOf }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/custom-engine"),
  ]);
  const { document, warning } = engineSettingsOf(await parseEngineFile(text, path));
  if (warning !== undefined) context.stderr.write(`warning: ${neutraliseControls(`${path}: ${warning}`)}\n`);
  return { reference, document };
}

/** Reads the engine configuration file with which the run started. Throws `config.invalid` if the file has changed. */
export async function readStoredEngineFile(context: CommandContext, stored: FileReference): Promise<EngineFile> {
  const file = await readEngineFile(context, stored.path);
  assertUnchanged(file.reference, stored, "--engine");
  return file;
}
