import { lineSeal } from "./sealed-text.ts";

/** Size, in bytes, of the checksum field and the line ending at the end of a log line. */
const SEAL_BYTES = lineSeal(Buffer.of()).length;
/** Maximum size of one character in UTF-8, in bytes. */
const CHARACTER_BYTES = 4;
/** Maximum size, in bytes, of a buffer that is kept for reuse. */
const RETAINED_BYTES = 64 * 1024;

/** Converts log lines to bytes. The buffer is reused, because allocating a buffer takes longer than filling it. */
export class LineBytes {
  #buffer: Buffer = Buffer.alloc(0);

  /**
   * Returns the bytes of a log line with its checksum. `body` is the JSON text of a record without the closing brace.
   * The next call may overwrite the returned bytes.
   */
  seal(body: string): Buffer {
    const room = this.#buffer.length - SEAL_BYTES;
    const size = body.length > room ? room : this.#buffer.write(body, 0, room, "utf8");
    // If the buffer is (almost) full, the text may not have fitted.
    if (size > room - CHARACTER_BYTES) return this.#sealElsewhere(body);
    return end(this.#buffer, size);
  }

  #sealElsewhere(body: string): Buffer {
    const size = Buffer.byteLength(body);
    const bytes = size + SEAL_BYTES + CHARACTER_BYTES;
    const buffer = Buffer.allocUnsafeSlow(
      bytes > RETAINED_BYTES ? bytes : Math.min(bytes + (bytes >> 1), RETAINED_BYTES),
    );
    buffer.write(body, "utf8");
    if (bytes <= RETAINED_BYTES) this.#buffer = buffer;
    return end(buffer, size);
  }
}

function end(buffer: Buffer, size: number): Buffer {
  return buffer.subarray(0, size + buffer.write(lineSeal(buffer.subarray(0, size)), size, "latin1"));
}

/** Returns a copy of a line without its line ending. */
export function withoutLineEnd(line: Buffer): Buffer {
  return Buffer.from(line.subarray(0, -1));
}
