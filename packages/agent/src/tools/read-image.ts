import { Buffer } from "node:buffer";
import type { ToolOutput } from "@switchyard/contracts";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";

/** Larger images are refused: no provider takes them. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** As many bytes as tell every type. */
const HEAD_BYTES = 12;

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

/** Whether a file is an image by its name. */
export function isNamedImage(path: string): boolean {
  return IMAGE_NAME.test(path);
}

/** MIME type of an image by its first bytes: names lie, and providers refuse an image of another type than they are told. */
function imageTypeOf(head: Buffer): string | undefined {
  const text = head.toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, HEAD_BYTES) === "WEBP") return "image/webp";
  return undefined;
}

/**
 * An image as the model sees it; nothing when the file is none of the types that models take. Throws
 * `environment.file_too_large`. loop: read_file, §3.3.
 */
export async function readImage(environment: ExecutionEnvironment, path: string): Promise<ToolOutput | undefined> {
  const mediaType = imageTypeOf(Buffer.from(await environment.readBytes(path, { length: HEAD_BYTES })));
  if (mediaType === undefined) return undefined;
  const { size } = await environment.stat(path);
  if (size > MAX_IMAGE_BYTES) {
    throw new EngineError("environment.file_too_large", { path, bytes: size, maxBytes: MAX_IMAGE_BYTES });
  }
  const bytes = Buffer.from(await environment.readBytes(path));
  return {
    content: `[Image ${path}: ${mediaType}, ${bytes.length} bytes]`,
    details: { path, mediaType, bytes: bytes.length },
    images: [{ type: "image", mediaType, data: bytes.toString("base64") }],
  };
}
