import type { Buffer } from "node:buffer";
import { type DecodedImage, type ImageSize, TRUNCATED } from "./image-format.ts";

/** WebP container format. Source: https://developers.google.com/speed/webp/docs/riff_container */
const RIFF_HEAD = 12;
const CHUNK_HEAD = 8;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Returns the image size in the header of a WebP chunk. `undefined` for chunks without a size. */
function sizeOf({ type, data }: Chunk): ImageSize | undefined {
  if (type === "VP8X" && data.length >= 10) {
    return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  }
  if (type === "VP8 " && data.length >= 10) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type === "VP8L" && data.length >= 5) {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return undefined;
}

/** Reads the size of a WebP image and checks that it is complete, up to the length in its header. */
export function decodeWebp(bytes: Buffer): DecodedImage {
  const end = bytes.length < RIFF_HEAD ? Number.POSITIVE_INFINITY : 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return TRUNCATED;
  let size: ImageSize | undefined;
  let hasPixels = false;
  for (let at = RIFF_HEAD; at + CHUNK_HEAD <= end; ) {
    const length = bytes.readUInt32LE(at + 4);
    const start = at + CHUNK_HEAD;
    if (start + length > end) return TRUNCATED;
    const chunk = { type: bytes.toString("latin1", at, at + 4), data: bytes.subarray(start, start + length) };
    size ??= sizeOf(chunk);
    hasPixels ||= ["VP8 ", "VP8L", "ANMF"].includes(chunk.type);
    at = start + length + (length % 2);
  }
  if (size === undefined || !hasPixels) return { problem: "it contains no image data" };
  return size.width === 0 || size.height === 0 ? { problem: "its header is damaged" } : size;
}
