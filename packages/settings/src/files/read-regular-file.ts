import { constants, open } from "node:fs/promises";
import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";

/** Largest file of settings, in bytes. */
const MAX_BYTES = 256 * 1024;

/** A file that was read. */
export interface TextFile {
  /** Absolute path. */
  readonly path: string;
  /** Its content. */
  readonly text: string;
}

/**
 * A small file as text; nothing where there is none. A link, a pipe or a device is none: a project must not make this
 * program wait, or read elsewhere. Rejects with `config.unreadable`.
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
      if (!facts.isFile()) throw unreadable(path, "it is no regular file");
      if (facts.size > MAX_BYTES) throw unreadable(path, `it is larger than ${MAX_BYTES / 1024} KiB`);
      return { path, text: decodeText(await file.readFile(), path) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (EngineError.is(error)) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unreadable(path, code === "ELOOP" ? "it is a link" : fileProblem(error), error);
  }
}

function unreadable(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("config.unreadable", { path, problem }, { cause });
}
