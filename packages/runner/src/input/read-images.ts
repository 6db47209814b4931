import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, fileProblem, type SessionImage } from "@switchyard/contracts";

/** Maximum size of an image file, in bytes. */
const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Reads and decodes image files for a message of a `SessionInput`, so that broken images are rejected before the run
 * starts. Relative paths are resolved against `directory`. Rejects with `input.unreadable` for a file that cannot be
 * read, is not an image, is truncated or exceeds 20 MiB.
 */
export async function readImages(paths: readonly string[], directory: string): Promise<SessionImage[]> {
  return Promise.all(paths.map((path) => readImage(resolve(directory, path), path)));
}

async function readImage(file: string, path: string): Promise<SessionImage> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw unreadable(path, `it exceeds the limit of ${MAX_BYTES} bytes`);
    const bytes = await readFile(file);
    // The decoders are only loaded for runs with images.
    const { prepareImage } = await import("@switchyard/agent");
    const { mediaType, data } = await prepareImage(bytes, path);
    return { media_type: mediaType, data };
  } catch (error) {
    if (EngineError.is(error, "input.unreadable")) throw error;
    throw unreadable(path, problemOf(error), error);
  }
}

function problemOf(error: unknown): string {
  if (EngineError.is(error, "environment.file_too_large"))
    return `it exceeds the limit of ${error.details["maxBytes"]} bytes`;
  const problem = EngineError.is(error) ? error.details["problem"] : undefined;
  return typeof problem === "string" ? problem : fileProblem(error);
}

function unreadable(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("input.unreadable", { path, problem }, { cause });
}
