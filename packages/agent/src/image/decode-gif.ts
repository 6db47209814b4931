import type { Buffer } from "node:buffer";
import { type DecodedImage, TRUNCATED } from "./image-format.ts";

/** Block types of a GIF. Source: https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const SCREEN_BYTES = 13;
const DESCRIPTOR_BYTES = 10;

function colorTableBytes(packed: number): number {
  return (packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1);
}

/**
 * Returns the offset after a list of GIF sub-blocks. The offset is beyond the end of the file if the list is not
 * terminated.
 */
function skipBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return bytes.length + 1;
}

/** Reads the size of a GIF and checks that it is complete, up to its trailer. */
export function decodeGif(bytes: Buffer): DecodedImage {
  if (bytes.length < SCREEN_BYTES) return TRUNCATED;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let hasImage = false;
  for (let at = SCREEN_BYTES + colorTableBytes(bytes[10] ?? 0); ; ) {
    if (at >= bytes.length) return TRUNCATED;
    const kind = bytes[at];
    if (kind === TRAILER) break;
    if (kind === EXTENSION) at = skipBlocks(bytes, at + 2);
    else if (kind === IMAGE) {
      // Skips the GIF image descriptor, the color table and the code size, then the data.
      at = skipBlocks(bytes, at + DESCRIPTOR_BYTES + colorTableBytes(bytes[at + 9] ?? 0) + 1);
      hasImage = true;
    } else return { problem: "a block is damaged" };
  }
  if (!hasImage) return { problem: "it contains no image data" };
  return size.width === 0 || size.height === 0 ? { problem: "its header is damaged" } : size;
}
