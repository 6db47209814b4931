import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { access, constants, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";

/** Checks before a run that its result can be written to a path. Rejects with `output.unwritable`. */
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

/** Resolves symbolic links in the path of an output file, which may not exist yet. */
async function findTarget(path: string): Promise<{ target: string; found: Stats | undefined }> {
  const target = await realpath(path).catch(() => resolve(path));
  const found = await stat(target).catch(() => undefined);
  return { target, found };
}

/** Writes a value as JSON, as `replaceOutput` does. Rejects with `output.unwritable`. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await replaceOutput(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * Writes text to a path. A file is replaced atomically; devices and pipes are written to directly. Rejects with
 * `output.unwritable`, and with the errors of `text`.
 */
export async function replaceOutput(path: string, text: string | AsyncIterable<string>): Promise<void> {
  try {
    const { target, found } = await findTarget(path);
    // Devices are written to directly: replacing `/dev/null` with a file would damage the system.
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
