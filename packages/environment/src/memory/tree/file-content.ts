/** Minimum buffer size, in bytes, for a file that grows by appending. */
const MIN_ROOM_BYTES = 256;

/** Bytes of a file. Writing the file does not change byte arrays that were returned earlier. */
export class FileContent {
  #room: Uint8Array;
  #length: number;

  /** Copies the bytes. */
  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.#room = bytes.slice();
    this.#length = bytes.length;
  }

  /** Content of the file. The caller must not change the returned array. */
  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  /** Size in bytes. */
  get size(): number {
    return this.#length;
  }

  /** Replaces the content. */
  replace(bytes: Uint8Array): void {
    this.#room = bytes.slice();
    this.#length = bytes.length;
  }

  /** Appends bytes. The buffer grows in steps, so that most appends do not copy the existing content. */
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
