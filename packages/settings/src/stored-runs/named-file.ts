import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { type FileReference, toFileReference } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { readText } from "./read-json.ts";

/** Input file that the user named, with its text. */
export interface NamedFile {
  /** Reference to the file that is stored with the run. */
  readonly reference: FileReference;
  /** Content of the file. */
  readonly text: string;
}

/** Reads an input file that the user named. Throws `input.unreadable` and `input.malformed`. */
export async function readNamedFile(context: CommandContext, path: string): Promise<NamedFile> {
  const file = resolve(context.workingDirectory, path);
  const text = await readText(file, path);
  return { reference: toFileReference(file, text), text };
}

/**
 * Throws `config.invalid` if an input file has changed since the run started. The agent could have changed the file,
 * and commands in such files run with the user's environment variables. The error names the command-line option that
 * accepts the changed file. See architecture: decision 20.
 */
export function assertUnchanged(found: FileReference, stored: FileReference, option: string): void {
  if (found.sha256 === stored.sha256) return;
  const problem = `${stored.path} has changed since the run started; review it and name it again`;
  throw new EngineError("config.invalid", { field: option, problem });
}
