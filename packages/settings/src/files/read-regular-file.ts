import { constants, open } from "node:fs/promises";
import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";

/** Maximum size of a settings file, in bytes. A larger file is rejected. */
const MAX_BYTES = 256 * 1024;

/** Text file that was read. */
export interface TextFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Content of the file. */
  readonly text: string;
}

/**
 * Reads a small text file. Resolves with `undefined` if the file does not exist. Rejects with `config.unreadable` for
 * symbolic links (unless `follow` is set), pipes and devices. A project could otherwise make this process wait, or read
 * files outside the project.
 */
export async function readRegularFile(
  path: string,
  { follow = false }: { follow?: boolean } = {},
): Promise<TextFile | undefined> {
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    const file = await open(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw unreadable(path, "it is not a regular file");
      if (facts.size > MAX_BYTES) throw unreadable(path, `it exceeds the limit of ${MAX_BYTES / 1024} KiB`);
      return { path, text: decodeText(await file.readFile(), path) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (EngineError.is(error)) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unreadable(path, code === "ELOOP" ? "it is a symbolic link" : fileProblem(error), error);
  }
}

function unreadable(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("config.unreadable", { path, problem }, { cause });
}
