import type { Buffer } from "node:buffer";
import { type DecodedImage, type ImageSize, TRUNCATED } from "./image-format.ts";

/** JPEG markers. Source: ITU-T T.81, table B.1 (https://www.w3.org/Graphics/JPEG/itu-t81.pdf) */
const MARKER = 0xff;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

/** Returns whether a JPEG marker starts a frame: 0xc0 to 0xcf, except DHT, JPG and DAC. */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
}

/** Returns whether a JPEG marker has no length field: TEM and the restart markers. */
function isStandalone(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd7);
}

/** Returns the offset of the JPEG marker that follows the entropy-coded data. -1 if there is none. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(MARKER, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(MARKER, at + 1)) {
    const code = bytes[at + 1] ?? 0;
    if (code !== 0 && code !== MARKER && !isStandalone(code)) return at;
  }
  return -1;
}

function sizeOf(bytes: Buffer, segment: number): ImageSize {
  return { height: bytes.readUInt16BE(segment + 5), width: bytes.readUInt16BE(segment + 7) };
}

/** Reads the size of a JPEG and checks that it is complete, up to its end marker. */
export function decodeJpeg(bytes: Buffer): DecodedImage {
  let size: ImageSize | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (at + 1 >= bytes.length) return TRUNCATED;
    const code = bytes[at + 1] ?? 0;
    if (bytes[at] !== MARKER) return { problem: "a segment is damaged" };
    if (code === END_OF_IMAGE) break;
    // In a JPEG, fill bytes may precede a marker.
    if (code === MARKER || isStandalone(code)) {
      at += code === MARKER ? 1 : 2;
      continue;
    }
    if (at + 4 > bytes.length) return TRUNCATED;
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (next > bytes.length) return TRUNCATED;
    if (isFrame(code) && next >= at + 9) size = sizeOf(bytes, at);
    at = code === START_OF_SCAN ? endOfScan(bytes, next) : next;
    if (at === -1) return TRUNCATED;
    hasScan ||= code === START_OF_SCAN;
  }
  if (size === undefined || !hasScan) return { problem: "it contains no image data" };
  return size.width === 0 || size.height === 0 ? { problem: "its header is damaged" } : size;
}
