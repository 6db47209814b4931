import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { access, constants, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { SessionResult } from "@switchyard/contracts";
import { EngineError, fileProblem } from "@switchyard/contracts";

/**
 * Throws `output.unwritable` unless a result can be written to the path. Called before the run, so that the result is
 * not lost after it.
 */
export async function assertWritable(path: string): Promise<void> {
  try {
    const { target, found } = await findTarget(path);
    if (found?.isDirectory()) throw new EngineError("output.unwritable", { path, problem: "it is a folder" });
    if (found !== undefined) await access(target, constants.W_OK);
    if (found === undefined || found.isFile()) await access(dirname(target), constants.W_OK);
  } catch (error) {
    throw EngineError.is(error) ? error : unwritable(path, error);
  }
}

/** Resolves symbolic links and stats the target. */
async function findTarget(path: string): Promise<{ target: string; found: Stats | undefined }> {
  const target = await realpath(path).catch(() => resolve(path));
  const found = await stat(target).catch(() => undefined);
  return { target, found };
}

/**
 * Writes a result as JSON. A regular file is replaced atomically; a device or a pipe is written directly. Throws
 * `output.unwritable`.
 */
export async function writeResult(path: string, result: SessionResult): Promise<void> {
  const { checkSessionResult } = await import("../input/check-document.ts");
  const checked = checkSessionResult(result);
  if (!checked.valid) {
    const problem = `the engine's result is not a valid SessionResult: ${checked.problems.join("; ")}`;
    throw new EngineError("output.unwritable", { path, problem });
  }
  await writeJson(path, checked.value);
}

/** Writes a document as JSON, using `replaceOutput`. Throws `output.unwritable`. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await replaceOutput(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * Writes a text or a stream of chunks. A regular file is replaced atomically; a device or a pipe is written directly.
 * Throws `output.unwritable` and the errors of the stream.
 */
export async function replaceOutput(path: string, text: string | AsyncIterable<string>): Promise<void> {
  try {
    const { target, found } = await findTarget(path);
    // Replacing a device such as /dev/null with a file would break the machine.
    if (found !== undefined && !found.isFile()) await writeFile(target, text, { flag: "r+" });
    else await replaceFile(target, text, found);
  } catch (error) {
    throw EngineError.is(error) ? error : unwritable(path, error);
  }
}

async function replaceFile(
  target: string,
  text: string | AsyncIterable<string>,
  found: Stats | undefined,
): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, "wx", 0o666);
    try {
      await writeFile(file, text);
      if (found !== undefined) await file.chmod(found.mode & 0o777);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function unwritable(path: string, error: unknown): EngineError {
  return new EngineError("output.unwritable", { path, problem: fileProblem(error) }, { cause: error });
}
