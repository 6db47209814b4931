/**
 * Flow control window of a connection: number of bytes that one side may send before the other side has passed them on.
 */
export const CONNECTION_WINDOW: number = 256 * 1024;

/** Maximum size of the payload of a frame, in bytes. */
export const MAX_FRAME_BYTES: number = 32 * 1024;

const HEADER_BYTES = 9;

/**
 * Type of a frame between this process and a relay. `encodeFrame` encodes frames: a letter, then the number of the
 * connection and the size of the payload in 4 bytes each, low byte first. `r`: the relay listens on the port in the
 * payload. `o`: a client has connected. `d`: data. `e`: no more data follows. `c`: the connection is closed after data
 * that was sent before. `w`: the number of bytes in the payload was passed on, and as many more may be sent.
 */
export type FrameKind = "r" | "o" | "d" | "e" | "c" | "w";

/** A frame: its type, the number of its connection, and its payload. */
export interface ConnectionFrame {
  /**
   * Type of the frame, one character. Not limited to `FrameKind`, because an untrusted relay may send any character.
   */
  readonly kind: string;
  readonly id: number;
  readonly payload: Buffer;
}

/**
 * Creates a parser that accepts chunks of any size and passes on complete frames. If a frame is too large, the parser
 * returns false and ignores all later data.
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
