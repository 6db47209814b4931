/** Number of bytes that a side may send on a connection before the other side has passed them on. */
export const CONNECTION_WINDOW: number = 256 * 1024;

/** Maximum size of the payload of a frame, in bytes. */
export const MAX_FRAME_BYTES: number = 32 * 1024;

const HEADER_BYTES = 9;

/**
 * Kind of a frame between this process and a relay. `encodeFrame` encodes frames: a letter, then the number of the
 * connection and the size of the payload in 4 bytes each, low byte first. `r`: the relay listens on the port in the payload. `o`: a client has
 * connected. `d`: data. `e`: no more data follows. `c`: the connection is closed
 * after data that was sent before. `w`: the number of bytes in the payload
 * was passed on, and as many may follow.
 */
export type FrameKind = "r" | "o" | "d" | "e" | "c" | "w";

/** A frame: its kind, the number of its connection, and its payload. */
export interface ConnectionFrame {
  /** A letter. A relay is not trusted, so the letter can be any. */
  readonly kind: string;
  readonly id: number;
  readonly payload: Buffer;
}

/**
 * Creates a parser that accepts chunks of any size and passes on complete frames. The parser returns false, and then
 * ignores everything, if a frame is too large.
 */
export function createConnectionFrameReader(onFrame: (frame: ConnectionFrame) => void): (chunk: Uint8Array) => boolean {
  let pending: Buffer = Buffer.alloc(0);
  let isValid = true;
  return (chunk) => {
    if (!isValid) return false;
    let bytes = pending.length === 0 ? toBuffer(chunk) : Buffer.concat([pending, chunk]);
    while (bytes.length >= HEADER_BYTES) {
      const size = bytes.readUInt32LE(5);
      if (size > MAX_FRAME_BYTES) {
        isValid = false;
        pending = Buffer.alloc(0);
        return false;
      }
      const end = HEADER_BYTES + size;
      if (bytes.length < end) break;
      onFrame({
        kind: bytes.toString("latin1", 0, 1),
        id: bytes.readUInt32LE(1),
        payload: bytes.subarray(HEADER_BYTES, end),
      });
      bytes = bytes.subarray(end);
    }
    pending = bytes;
    return true;
  };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
