import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { SettingsContext } from "../settings-context.ts";
import { type FileReference, toFileReference } from "./file-reference.ts";

/** Input file that the user named, with its text. */
export interface NamedFile {
  /** Reference to the file that is stored with the run. */
  readonly reference: FileReference;
  /** Content of the file. */
  readonly text: string;
}

/** Reads an input file that the user named. Rejects with `input.unreadable` and `input.malformed`. */
export async function readNamedFile(
  { workingDirectory }: Pick<SettingsContext, "workingDirectory">,
  path: string,
): Promise<NamedFile> {
  const { readText } = await import("@switchyard/runner");
  const file = resolve(workingDirectory, path);
  const text = await readText(file, path);
  return { reference: toFileReference(file, text), text };
}

/**
 * Throws `config.invalid` if an input file has changed since the run started. The agent could have changed the file,
 * and commands in such files run with the user's environment variables. `option` is the command-line option or setting
 * that accepts the changed file; the error names it. See architecture: decision 20.
 */
export function assertUnchanged(found: FileReference, stored: FileReference, option: string): void {
  if (found.sha256 === stored.sha256) return;
  const problem = `${stored.path} has changed since the run started; review it and name it again`;
  throw new EngineError("config.invalid", { field: option, problem });
}
