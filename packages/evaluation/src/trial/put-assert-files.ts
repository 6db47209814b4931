import { lstat, readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { EvalFile } from "../suite/eval-suite.ts";

/**
 * Adds the files that assertions need to the workspace. This happens after the session, so that the engine never sees
 * them. The files are written through the environment, because it may be remote and because the engine may have left
 * symlinks. Resolves with a description of the problem if a file cannot be written, otherwise with `undefined`.
 */
export async function putAssertFiles(
  environment: ExecutionEnvironment,
  files: readonly EvalFile[],
): Promise<string | undefined> {
  for (const { path, source } of files) {
    try {
      if ("content" in source) await environment.writeFile(path, source.content);
      else await copy(source.from, path, environment);
    } catch (error) {
      return `The file ${path} of the assertions could not be written: ${messageOf(error)}`;
    }
  }
  return undefined;
}

async function copy(from: string, path: string, environment: ExecutionEnvironment): Promise<void> {
  const found = await lstat(from);
  if (!found.isDirectory()) return environment.writeFile(path, await readFile(from));
  for (const name of await readdir(from)) await copy(join(from, name), posix.join(path, name), environment);
}
