import type { Buffer } from "node:buffer";

/** Types of images that every provider with image input accepts. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** Number of bytes that identify every type. */
export const IMAGE_HEAD_BYTES = 12;

/** Type of an image by its first bytes. `undefined` for everything else: names and declared types are often wrong. */
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

/** Result of reading an image: its size, or what is wrong with it. */
export type DecodedImage = ImageSize | { readonly problem: string };

/** An image whose end is missing. */
export const TRUNCATED: DecodedImage = { problem: "it is truncated" };
