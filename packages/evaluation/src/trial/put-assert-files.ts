import { lstat, readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { EvalFile } from "../suite/eval-suite.ts";

/**
 * Puts files into the workspace that the engine never saw, by the environment itself: it lives in whatever place, and
 * the engine may have left links. Resolves with the problem where one cannot be written.
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
