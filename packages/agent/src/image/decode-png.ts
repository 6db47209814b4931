import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { crc32, createInflate } from "node:zlib";
import { type DecodedImage, type ImageSize, TRUNCATED } from "./image-format.ts";

const SIGNATURE_BYTES = 8;
/** Sizes of the parts of a PNG chunk before and after its data, in bytes: length and type before, checksum after. */
const CHUNK_HEAD = 8;
const CHUNK_TAIL = 4;
const HEADER_BYTES = 13;

/**
 * Maximum size of a PNG's inflated pixel data, in bytes. The largest accepted image needs less: 8,000 × 8,000 pixels of
 * 8 bytes.
 */
const MAX_INFLATED_BYTES = 600 * 1024 * 1024;

/** Samples per pixel, by color type. Source: https://www.w3.org/TR/png-3/#11IHDR */
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

interface Header extends ImageSize {
  /**
   * Size of a PNG's inflated pixel data, in bytes. `undefined` for interlaced images, which store their rows in seven
   * passes.
   */
  readonly rawBytes: number | undefined;
}

function headerOf(data: Buffer): Header | undefined {
  if (data.length !== HEADER_BYTES) return undefined;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const samples = SAMPLES.get(data.readUInt8(9));
  if (width === 0 || height === 0 || samples === undefined) return undefined;
  const row = 1 + Math.ceil((width * samples * data.readUInt8(8)) / 8);
  return { width, height, rawBytes: data.readUInt8(12) === 0 ? row * height : undefined };
}

/** Inflates data and returns only its size, in bytes. `undefined` if the data is damaged, truncated or too large. */
async function inflatedBytes(pieces: readonly Buffer[]): Promise<number | undefined> {
  const inflate = createInflate();
  let bytes = 0;
  inflate.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    // Even a small file can inflate to any size.
    if (bytes > MAX_INFLATED_BYTES) inflate.destroy(new Error("too large"));
  });
  try {
    const ended = once(inflate, "end");
    for (const piece of pieces) inflate.write(piece);
    inflate.end();
    await ended;
    return bytes;
  } catch {
    return undefined;
  }
}

/** Reads the size of a PNG and checks that it is complete: chunks, checksums and the size of the pixel data. */
export async function decodePng(bytes: Buffer): Promise<DecodedImage> {
  let header: Header | undefined;
  const pixels: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; ; ) {
    if (at + CHUNK_HEAD > bytes.length) return TRUNCATED;
    const end = at + CHUNK_HEAD + bytes.readUInt32BE(at);
    if (end + CHUNK_TAIL > bytes.length) return TRUNCATED;
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return { problem: "a checksum is wrong" };
    const type = bytes.toString("latin1", at + 4, at + CHUNK_HEAD);
    const data = bytes.subarray(at + CHUNK_HEAD, end);
    if (type === "IHDR") header = headerOf(data);
    if (header === undefined) return { problem: "its header is damaged" };
    if (type === "IDAT") pixels.push(data);
    if (type === "IEND") break;
    at = end + CHUNK_TAIL;
  }
  const { width, height, rawBytes } = header;
  const inflated = await inflatedBytes(pixels);
  if (inflated === undefined || inflated < (rawBytes ?? 1))
    return { problem: "its pixel data is damaged or truncated" };
  return { width, height };
}
