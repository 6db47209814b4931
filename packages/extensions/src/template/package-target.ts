import { readdir } from "node:fs/promises";
import { EngineError, fileProblem } from "@switchyard/contracts";

/** Matches names that all package registries accept and that need no quotes in a shell. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;
const MAX_NAME = 60;

/**
 * Returns a sentence that explains why a name for a new package is not valid. The name does not include the prefix,
 * such as `switchyard-adapter-`. `undefined` if the name is valid.
 */
export function packageNameProblem(name: string): string | undefined {
  if (NAME.test(name) && name.length <= MAX_NAME) return undefined;
  return `${JSON.stringify(name)} is not a valid name. Use at most ${MAX_NAME} lowercase letters, digits and single hyphens, starting with a letter.`;
}

/** Resolves with true if a folder does not exist or has no entries. Rejects with `output.unwritable`. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw new EngineError("output.unwritable", { path: folder, problem: fileProblem(error) }, { cause: error });
  }
}
