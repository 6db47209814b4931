import { assertUnchanged, type FileReference, readNamedFile } from "@switchyard/settings";
import type { EngineHost } from "./engine-host.ts";

/** Engine configuration file named by the user. */
export interface EngineFile {
  /** Path and digest of the file, as stored with the run. */
  readonly reference: FileReference;
  /** Parsed content. */
  readonly document: unknown;
  /** Warning about ignored settings; `undefined` if there are none. */
  readonly warning?: string | undefined;
}

/**
 * Reads an engine configuration in YAML or JSON: a file that the user named by its path, or the one with which a run
 * started. Rejects with `input.unreadable` and `config.malformed`, and with `config.invalid` if the file of a run has
 * changed since.
 */
export async function readEngineFile(
  context: Pick<EngineHost, "workingDirectory">,
  file: string | FileReference,
): Promise<EngineFile> {
  const path = typeof file === "string" ? file : file.path;
  const { reference, text } = await readNamedFile(context, path);
  if (typeof file !== "string") assertUnchanged(reference, file, "--engine");
  const [{ parseEngineFile }, { engineSettingsOf }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/custom-engine"),
  ]);
  return { reference, ...engineSettingsOf(await parseEngineFile(text, path)) };
}

/**
 * Resolves with the name of the engine that a file configures; `undefined` if the file contains no name. Rejects with
 * `input.unreadable` and `config.malformed`.
 */
export async function readEngineName(context: Pick<EngineHost, "workingDirectory">, path: string): Promise<unknown> {
  const { document } = await readEngineFile(context, path);
  const block = isRecord(document) && Object.hasOwn(document, "engine") ? document["engine"] : document;
  return isRecord(block) ? block["name"] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
