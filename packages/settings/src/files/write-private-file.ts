import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";

/**
 * Replaces a file atomically with JSON that only the file's owner can read. Creates the folder if necessary. Rejects
 * with `output.unwritable`, in which case the file is unchanged. Several processes may call this at the same time: the
 * last one wins.
 */
export async function writePrivateFile(path: string, value: unknown): Promise<void> {
  // This function is not used for files of runs. For these, the function `replaceFile` of the package `stores` writes
  // the new file in the folder of the run's lease, so that a process that lost the lease cannot replace the file. It
  // also flushes the folder.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new EngineError("output.unwritable", { path, problem: fileProblem(error) }, { cause: error });
  }
}
