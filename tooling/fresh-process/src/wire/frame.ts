import { deserialize, serialize } from "node:v8";

/** Number of bytes of the length before each frame. */
export const HEAD_BYTES = 4;

/** Encodes a value with its length. */
export function toFrame(value: unknown): Buffer {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** Parses values from bytes that arrive in chunks. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Adds a chunk and yields complete values. */
  *read<T>(piece: Buffer): Generator<T, void, undefined> {
    this.#rest = Buffer.concat([this.#rest, piece]);
    while (this.#rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.#rest.readUInt32LE();
      if (this.#rest.length < end) return;
      const body = this.#rest.subarray(HEAD_BYTES, end);
      this.#rest = this.#rest.subarray(end);
      yield deserialize(body);
    }
  }
}
