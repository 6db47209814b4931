/** Room that a file gets at first when it grows. */
const MIN_ROOM_BYTES = 256;

/** Bytes of a file. What was handed out stays as it was, whatever is written later. */
export class FileContent {
  #room: Uint8Array;
  #length: number;

  /** A copy of the bytes. */
  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.#room = bytes.slice();
    this.#length = bytes.length;
  }

  /** What is in the file; a view that must not be written to. */
  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  /** Size in bytes. */
  get size(): number {
    return this.#length;
  }

  /** Puts other bytes in their place. */
  replace(bytes: Uint8Array): void {
    this.#room = bytes.slice();
    this.#length = bytes.length;
  }

  /** Puts bytes behind them; many small ones cost no copy of the whole each. */
  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#room.length) {
      const room = new Uint8Array(Math.max(length, this.#room.length * 2, MIN_ROOM_BYTES));
      room.set(this.bytes);
      this.#room = room;
    }
    this.#room.set(bytes, this.#length);
    this.#length = length;
  }
}
