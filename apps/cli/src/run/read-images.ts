import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, fileProblem, type SessionImage } from "@switchyard/contracts";
import type { World } from "../world/world.ts";

/** Larger ones no provider takes. */
const MAX_BYTES = 20 * 1024 * 1024;
/** As many bytes as tell every type. */
const HEAD_BYTES = 12;

/** MIME type by the first bytes: names lie, and providers refuse a picture of another type than they are told. */
function typeOf(bytes: Buffer): SessionImage["media_type"] | undefined {
  const head = bytes.toString("latin1", 0, HEAD_BYTES);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

/** Pictures of files. Rejects with `input.unreadable` where one cannot be read, is none or is too large. */
export async function readImages(world: World, paths: readonly string[]): Promise<SessionImage[]> {
  return Promise.all(paths.map((path) => readImage(resolve(world.workingDirectory, path), path)));
}

async function readImage(file: string, path: string): Promise<SessionImage> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw unreadable(path, `it is larger than ${MAX_BYTES} bytes`);
    const bytes = await readFile(file);
    const type = typeOf(bytes);
    if (type === undefined) throw unreadable(path, "it is no PNG, JPEG, GIF or WebP");
    return { media_type: type, data: bytes.toString("base64") };
  } catch (error) {
    throw EngineError.is(error) ? error : unreadable(path, fileProblem(error), error);
  }
}

function unreadable(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("input.unreadable", { path, problem }, { cause });
}
