import { Buffer } from "node:buffer";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Maximum number of content encodings of a body, applied one after the other. A body with more is rejected. */
const MAX_ENCODINGS = 2;

/** Response body, possibly truncated. */
export interface Body {
  /** Decoded bytes. */
  readonly bytes: Uint8Array;
  /** True if the body was longer than the maximum. */
  readonly truncated: boolean;
}

/** Options for reading a body. */
export interface ReadBodyOptions {
  /** The header `content-encoding`. Empty for an unencoded body. */
  readonly contentEncoding: string;
  /** Maximum number of decoded bytes. */
  readonly maxBytes: number;
  /**
   * Called with decoded bytes as they arrive. Reading pauses until the returned promise resolves. If set, `bytes` of
   * the result is empty.
   */
  readonly onBytes?: ((bytes: Uint8Array) => Promise<void>) | undefined;
}

function decoderOf(encoding: string): Transform | undefined {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

/**
 * Returns the decoders of a body, outermost encoding first. `undefined` if an encoding is unknown or there are too
 * many.
 */
function decodersOf(contentEncoding: string): Transform[] | undefined {
  const names = contentEncoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  const decoders = names.reverse().flatMap((name) => decoderOf(name) ?? []);
  return decoders.length === names.length && names.length <= MAX_ENCODINGS ? decoders : undefined;
}

/**
 * Pipes a body through its decoders and returns the last stream. An error in any of the streams destroys the last
 * stream.
 */
function decoded(body: Readable, decoders: readonly Transform[]): Readable {
  let last = body;
  for (const decoder of decoders) {
    const source = last;
    source.on("error", (error) => decoder.destroy(error));
    decoder.on("close", () => source.destroy());
    last = source.pipe(decoder);
  }
  return last;
}

/**
 * Reads a body up to the maximum number of decoded bytes, plus at most one chunk. A decompression bomb is therefore
 * stopped early. Rejects if the body is damaged or has an unknown encoding.
 */
export async function readBody(body: Readable, { contentEncoding, maxBytes, onBytes }: ReadBodyOptions): Promise<Body> {
  // A destroyed body emits an error, which is ignored here. Relevant errors are thrown by the loop below.
  body.on("error", () => {});
  const decoders = decodersOf(contentEncoding);
  if (decoders === undefined) {
    body.destroy();
    throw new Error(`it is encoded as ${contentEncoding.slice(0, 100)}`);
  }
  const stream = decoded(body, decoders);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    const bytes = Buffer.from(piece);
    length += bytes.length;
    if (onBytes === undefined) pieces.push(bytes);
    else if (length <= maxBytes) await onBytes(bytes);
    // Leaving the loop destroys the stream and its connection.
    if (length > maxBytes) break;
  }
  body.destroy();
  const bytes = onBytes === undefined ? Buffer.concat(pieces, Math.min(length, maxBytes)) : new Uint8Array();
  return { bytes, truncated: length > maxBytes };
}
