import { Buffer } from "node:buffer";
import { EngineError, type ExecutionEnvironment, type ToolOutput } from "@switchyard/contracts";
import { markPrepared } from "../image/check-images.ts";
import { IMAGE_HEAD_BYTES, imageTypeOf } from "../image/image-format.ts";
import { prepareImage } from "../image/prepare-image.ts";

/** Maximum size of an image file, in bytes. Scaling larger images would take too much memory. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

/** Returns whether a file name has the extension of an image. */
export function isNamedImage(path: string): boolean {
  return IMAGE_NAME.test(path);
}

/**
 * Reads an image and prepares it for the model. `undefined` if the file has no image type that models accept. Rejects
 * with `tool.invalid_image` if it is damaged, truncated or too large. See loop: read_file, §3.3.
 */
export async function readImage(environment: ExecutionEnvironment, path: string): Promise<ToolOutput | undefined> {
  const head = Buffer.from(await environment.readBytes(path, { length: IMAGE_HEAD_BYTES }));
  if (imageTypeOf(head) === undefined) return undefined;
  const { size } = await environment.stat(path);
  if (size > MAX_FILE_BYTES) {
    throw new EngineError("environment.file_too_large", { path, bytes: size, maxBytes: MAX_FILE_BYTES });
  }
  const image = markPrepared(await prepareImage(Buffer.from(await environment.readBytes(path)), path));
  const bytes = Buffer.byteLength(image.data ?? "", "base64");
  return {
    content: `[Image ${path}: ${image.mediaType}, ${bytes} bytes]`,
    details: { path, mediaType: image.mediaType, bytes },
    images: [image],
  };
}
