import type { Buffer } from "node:buffer";
import { EngineError, type ImagePart } from "@switchyard/contracts";
import { decodeGif } from "./decode-gif.ts";
import { decodeJpeg } from "./decode-jpeg.ts";
import { decodePng } from "./decode-png.ts";
import { decodeWebp } from "./decode-webp.ts";
import { type DecodedImage, type ImageType, imageTypeOf } from "./image-format.ts";
import { scaleImage } from "./scale-image.ts";

/**
 * Maximum size of an image, in bytes, and of each side, in pixels. The lowest documented limits of the providers.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/vision
 */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_SIDE = 8_000;

/** An image part that contains the image data, not a path or URL. */
export interface PreparedImage extends ImagePart {
  /** MIME type detected from the data. */
  readonly mediaType: ImageType;
  /** Image data, base64-encoded. */
  readonly data: string;
}

function decode(bytes: Buffer, type: ImageType): DecodedImage | Promise<DecodedImage> {
  switch (type) {
    case "image/png":
      return decodePng(bytes);
    case "image/jpeg":
      return decodeJpeg(bytes);
    case "image/gif":
      return decodeGif(bytes);
    case "image/webp":
      return decodeWebp(bytes);
  }
}

function invalid(source: string, problem: string): EngineError {
  return new EngineError("tool.invalid_image", { source, problem });
}

function toPart(bytes: Buffer, mediaType: ImageType): PreparedImage {
  return { type: "image", mediaType, data: bytes.toString("base64") };
}

/**
 * Creates an image part that providers accept. Detects the type from the data, and checks that the image is complete.
 * An image that is too large is scaled down if the optional package sharp is installed. Rejects with
 * `tool.invalid_image` or `environment.file_too_large`, which name the source and the problem.
 */
export async function prepareImage(bytes: Buffer, source: string): Promise<PreparedImage> {
  const type = imageTypeOf(bytes);
  if (type === undefined) throw invalid(source, "its bytes are not those of a PNG, JPEG, GIF or WebP image");
  const decoded = await decode(bytes, type);
  if ("problem" in decoded) throw invalid(source, `${decoded.problem} (${type}, ${bytes.length} bytes)`);
  const { width, height } = decoded;
  const isTooLarge = bytes.length > MAX_IMAGE_BYTES || Math.max(width, height) > MAX_SIDE;
  if (!isTooLarge) return toPart(bytes, type);
  const scaled = await scaleImage(bytes);
  if (scaled !== undefined && scaled.length <= MAX_IMAGE_BYTES) return toPart(scaled, "image/png");
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new EngineError("environment.file_too_large", {
      path: source,
      bytes: bytes.length,
      maxBytes: MAX_IMAGE_BYTES,
    });
  }
  throw invalid(source, `it is too large: ${width} × ${height} pixels, more than ${MAX_SIDE} pixels a side`);
}
