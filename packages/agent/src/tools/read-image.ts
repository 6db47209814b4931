import { Buffer } from "node:buffer";
import type { ToolOutput } from "@switchyard/contracts";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";

/** Larger images are refused: no provider takes them. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** First bytes of each type, as hexadecimal text. */
const SIGNATURES: Readonly<Record<string, string>> = {
  "image/png": "89504e47",
  "image/jpeg": "ffd8ff",
  "image/gif": "474946",
  "image/webp": "52494646",
};

/** MIME type of a file that is an image by its name. */
export function imageTypeOf(path: string): string | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}

/**
 * An image as the model sees it. Throws `environment.file_too_large`, or `environment.binary_file` when the content
 * is not what the name says. loop: read_file, §3.3.
 */
export async function readImage(
  environment: ExecutionEnvironment,
  path: string,
  mediaType: string,
): Promise<ToolOutput> {
  const { size } = await environment.stat(path);
  if (size > MAX_IMAGE_BYTES) {
    throw new EngineError("environment.file_too_large", { path, bytes: size, maxBytes: MAX_IMAGE_BYTES });
  }
  const bytes = Buffer.from(await environment.readBytes(path));
  if (
    !bytes
      .subarray(0, 4)
      .toString("hex")
      .startsWith(SIGNATURES[mediaType] ?? "")
  ) {
    throw new EngineError("environment.binary_file", { path });
  }
  return {
    content: `[Image ${path}: ${mediaType}, ${bytes.length} bytes]`,
    details: { path, mediaType, bytes: bytes.length },
    images: [{ type: "image", mediaType, data: bytes.toString("base64") }],
  };
}
