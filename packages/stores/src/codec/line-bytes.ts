import { lineSeal } from "./sealed-text.ts";

/** Size, in bytes, of the checksum field and the line ending at the end of a log line. */
const SEAL_BYTES = lineSeal(Buffer.of()).length;
/** Maximum size of one character in UTF-8, in bytes. */
const CHARACTER_BYTES = 4;
/** Maximum size, in bytes, of a buffer that is kept for reuse. */
const KEPT_BYTES = 64 * 1024;

/** Converts log lines to bytes. The buffer is reused, because allocating a buffer takes longer than filling it. */
export class LineBytes {
  #place: Buffer = Buffer.alloc(0);

  /**
   * Returns the bytes of a log line with its checksum. `body` is the JSON text of a record without the closing brace.
   * The next call may overwrite the returned bytes.
   */
  seal(body: string): Buffer {
    const room = this.#place.length - SEAL_BYTES;
    const size = body.length > room ? room : this.#place.write(body, 0, room, "utf8");
    // If the buffer is (almost) full, the text may not have fitted.
    if (size > room - CHARACTER_BYTES) return this.#sealElsewhere(body);
    return end(this.#place, size);
  }

  #sealElsewhere(body: string): Buffer {
    const size = Buffer.byteLength(body);
    const bytes = size + SEAL_BYTES + CHARACTER_BYTES;
    const place = Buffer.allocUnsafeSlow(bytes > KEPT_BYTES ? bytes : Math.min(bytes + (bytes >> 1), KEPT_BYTES));
    place.write(body, "utf8");
    if (bytes <= KEPT_BYTES) this.#place = place;
    return end(place, size);
  }
}

function end(place: Buffer, size: number): Buffer {
  return place.subarray(0, size + place.write(lineSeal(place.subarray(0, size)), size, "latin1"));
}

/** Returns a copy of a line without its line ending. */
export function withoutLineEnd(line: Buffer): Buffer {
  return Buffer.from(line.subarray(0, -1));
}
