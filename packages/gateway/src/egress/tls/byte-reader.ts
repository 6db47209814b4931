/**
 * Reads big-endian numbers and length-prefixed bytes of a TLS structure. Each method returns `undefined` if too few
 * bytes are left.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True if all bytes are read. */
  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  /** Reads an unsigned number of `size` bytes. */
  number(size: 1 | 2 | 3): number | undefined {
    const bytes = this.bytes(size);
    return bytes?.reduce((value, byte) => value * 256 + byte, 0);
  }

  /** Reads `count` bytes. */
  bytes(count: number): Uint8Array | undefined {
    const end = this.#offset + count;
    if (end > this.#bytes.length) return undefined;
    const bytes = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }

  /** Reads a length, which is a number of `size` bytes, and then that many bytes. */
  vector(size: 1 | 2): Uint8Array | undefined {
    const length = this.number(size);
    return length === undefined ? undefined : this.bytes(length);
  }
}
