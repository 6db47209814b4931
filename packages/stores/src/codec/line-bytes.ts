import { lineSeal } from "./sealed-text.ts";

/** Bytes of a seal with its line end. */
const SEAL_BYTES = lineSeal(Buffer.of()).length;
/** Bytes of the longest character. */
const CHARACTER_BYTES = 4;
/** Most that is held on to. */
const KEPT_BYTES = 64 * 1024;

/**
 * Turns lines into bytes once, for their check and for the disk, in a place that is used again: to make a new one
 * takes longer than to fill it.
 */
export class LineBytes {
  #place: Buffer = Buffer.alloc(0);

  /**
   * The bytes of a line that `openLine` opens, and its end, from the JSON text of a record without its closing brace.
   * They may change with the next call.
   */
  seal(body: string): Buffer {
    const room = this.#place.length - SEAL_BYTES;
    const size = body.length > room ? room : this.#place.write(body, 0, room, "utf8");
    // What fills the room up may have been cut off.
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

/** A line as it is kept where lines have no ends, in a place of its own. */
export function withoutLineEnd(line: Buffer): Buffer {
  return Buffer.from(line.subarray(0, -1));
}
