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

/**
 * Reads an engine configuration in YAML or JSON, and prints a warning about ignored settings. Throws `input.unreadable`
 * and `config.malformed`.
 */
export async function readEngineFile(context: CommandContext, path: string): Promise<EngineFile> {
  const { warning, ...file } = await parseNamedFile(context, path);
  if (warning !== undefined) context.stderr.write(`warning: ${neutraliseControls(`${path}: ${warning}`)}\n`);
  return file;
}

/**
 * Returns the name of the engine that a file configures. `undefined` if the file contains no name. Throws
 * `input.unreadable` and `config.malformed`.
 */
export async function readEngineName(context: CommandContext, path: string): Promise<unknown> {
  const { document } = await parseNamedFile(context, path);
  const block = isRecord(document) && Object.hasOwn(document, "engine") ? document["engine"] : document;
  return isRecord(block) ? block["name"] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function parseNamedFile(
  context: CommandContext,
  path: string,
): Promise<EngineFile & { readonly warning?: string | undefined }> {
  const { reference, text } = await readNamedFile(context, path);
  const [{ parseEngineFile }, { engineSettingsOf }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/custom-engine"),
  ]);
  return { reference, ...engineSettingsOf(await parseEngineFile(text, path)) };
}

/** Reads the engine configuration file with which the run started. Throws `config.invalid` if the file has changed. */
export async function readStoredEngineFile(context: CommandContext, stored: FileReference): Promise<EngineFile> {
  const file = await readEngineFile(context, stored.path);
  assertUnchanged(file.reference, stored, "--engine");
  return file;
}
