import { Buffer } from "node:buffer";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Most encodings on top of each other. */
const MAX_ENCODINGS = 2;

/** A body, or the beginning of one. */
export interface Body {
  /** Decoded bytes. */
  readonly bytes: Uint8Array;
  /** Whether there was more. */
  readonly truncated: boolean;
}

/** How a body is read. */
export interface ReadBodyOptions {
  /** The header `content-encoding`; empty for a body that is as it is. */
  readonly contentEncoding: string;
  /** Most decoded bytes. */
  readonly maxBytes: number;
  /** Takes the bytes as they come, in place of the answer; the next wait for it. */
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

/** The decoders of a body, outermost encoding first; nothing when there is one that is not known. */
function decodersOf(contentEncoding: string): Transform[] | undefined {
  const names = contentEncoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  const decoders = names.reverse().flatMap((name) => decoderOf(name) ?? []);
  return decoders.length === names.length && names.length <= MAX_ENCODINGS ? decoders : undefined;
}

/** Pipes a body through its decoders; an error anywhere ends the last stream with it. */
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
 * Reads a body up to a number of decoded bytes, and not one block more: what a small body unpacks to does not count
 * for nothing. Rejects when it is damaged, or packed in a way nobody asked for.
 */
export async function readBody(body: Readable, { contentEncoding, maxBytes, onBytes }: ReadBodyOptions): Promise<Body> {
  // Thrown away early, it fails with that; what matters of it is thrown by the loop below.
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
    // Leaving the loop destroys the stream, and with it the connection.
    if (length > maxBytes) break;
  }
  body.destroy();
  const bytes = onBytes === undefined ? Buffer.concat(pieces, Math.min(length, maxBytes)) : new Uint8Array();
  return { bytes, truncated: length > maxBytes };
}
