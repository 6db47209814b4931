import { type DumpLine, isCells, sizeOf } from "./dump-line.ts";

/** Maximum number of digits in an offset of a hex dump. */
const MAX_DIGITS = 8;
/**
 * Maximum difference between two values for an `od -c` line: the number of columns that were read, and the number of
 * columns that follows from the offsets of this line and the next.
 */
const MAX_DEVIATION = 2;

function offsetAfter(offset: string, bytes: number, radix: number): string {
  return (Number.parseInt(offset, radix) + bytes).toString(radix).padStart(offset.length, "0");
}

/**
 * Stores the last digits read of a dump line. If these digits are the offset of the next line, the line is complete
 * even without a line end.
 */
export class OffsetTail {
  #digits = "";
  #starts: number[] = [];
  /**
   * One position for each stored digit. If the digit is the first one of the next line's offset, the current line of
   * the hex dump ends at this position.
   */
  #ends: number[] = [];

  add(code: number, start: number, lineEnd: number): void {
    this.#digits = (this.#digits + String.fromCharCode(code)).slice(-MAX_DIGITS);
    this.#starts = [...this.#starts.slice(1 - MAX_DIGITS), start];
    this.#ends = [...this.#ends.slice(1 - MAX_DIGITS), lineEnd];
  }

  clear(): void {
    if (this.#digits === "") return;
    this.#digits = "";
    this.#starts = [];
    this.#ends = [];
  }

  /** Returns the last `width` digits. */
  last(width: number): string {
    return this.#digits.slice(-width);
  }

  /**
   * Returns the position in the original text at which the current line of the hex dump ends. Assumes that the last
   * `width` digits that were read are the offset of the next line. `start`: result if fewer digits are stored.
   */
  lineEnd(width: number, start: number): number {
    return Math.max(this.#starts.at(-width) ?? start, this.#ends.at(-width) ?? start);
  }

  /**
   * Returns true if the digits read last are the offset of the next line of the hex dump. `token` contains the
   * characters of the current token before the digit read last.
   */
  isNextOffset(line: DumpLine, token: string): boolean {
    const width = line.offset.length;
    if (this.#digits.length < width) return false;
    const before = token.slice(0, Math.max(0, token.length + 1 - width));
    const size = line.bytes + sizeOf(before);
    if (size < 1) return false;
    const tail = this.last(width).toLowerCase();
    // A dump of two-byte words may end with a padding byte, which is not counted in the final offset.
    for (const bytes of [Math.floor(size), Math.floor(size) - 1]) {
      if (tail === offsetAfter(line.offset, bytes, 16)) return true;
      // `od` prints its offsets in octal, with seven digits.
      if (/^[0-7]{7}$/.test(line.offset) && tail === offsetAfter(line.offset, bytes, 8)) return true;
    }
    return isCells(line) && this.#isAfterCells(line, tail, token.length === width - 1);
  }

  /**
   * Returns whether the last digits that were read are the offset after a line of `od -c`. The number of columns in the
   * line is the difference between the two offsets. Counting the columns is not sufficient, because a decoded escape in
   * a column may look like a line end. All lines except the last have 16 columns. If the last column is a digit, it is
   * not part of the offset after it.
   */
  #isAfterCells({ offset, bytes }: DumpLine, tail: string, isToken: boolean): boolean {
    return [8, 16].some((radix) => {
      const cells = Number.parseInt(tail, radix) - Number.parseInt(offset, radix);
      return (isToken && cells < 16 && Math.abs(cells - bytes) <= MAX_DEVIATION) || cells === 16;
    });
  }
}
