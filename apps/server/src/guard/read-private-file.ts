import { open } from "node:fs/promises";
import { EngineError, messageOf } from "@switchyard/contracts";

/** Permission bits of users other than a file's owner. */
const GROUP_AND_OTHERS = 0o077;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a file that only its owner may be able to read. Rejects with `credentials.exposed` if other users can read the
 * file, and with the error that `fail` returns for any other problem.
 */
export async function readPrivateFile(
  path: string,
  fail: (problem: string, cause?: unknown) => EngineError,
): Promise<string> {
  try {
    // The file is opened only once, so that the file whose permissions are checked is the file that is read.
    await using file = await open(path);
    const stat = await file.stat();
    if (!stat.isFile()) throw fail("it is not a file");
    // Windows has no permission bits for other users.
    if (process.platform !== "win32" && (stat.mode & GROUP_AND_OTHERS) !== 0)
      throw new EngineError("credentials.exposed", { path });
    if (stat.size > MAX_BYTES) throw fail(`it exceeds the limit of ${MAX_BYTES} bytes`);
    return await file.readFile("utf8");
  } catch (error) {
    throw EngineError.is(error) ? error : fail(messageOf(error), error);
  }
}
