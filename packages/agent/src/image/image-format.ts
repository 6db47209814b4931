import type { Buffer } from "node:buffer";

/** Image types that every provider with image input accepts. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** Number of leading bytes of a file that identify any of the supported image types. */
export const IMAGE_HEAD_BYTES = 12;

/**
 * Detects the type of an image from its first bytes, because file names and declared types are often wrong. `undefined`
 * for other types.
 */
export function imageTypeOf(head: Buffer): ImageType | undefined {
  const text = head.toString("latin1", 0, IMAGE_HEAD_BYTES);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8) === "WEBP") return "image/webp";
  return undefined;
}

/** Width and height of an image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Result of decoding an image: its size, or the problem with it. */
export type DecodedImage = ImageSize | { readonly problem: string };

/** Result for an image whose end is missing. */
export const TRUNCATED: DecodedImage = { problem: "it is truncated" };
