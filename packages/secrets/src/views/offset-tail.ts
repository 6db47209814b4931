import { type DumpLine, isCells, sizeOf } from "./dump-line.ts";

/** Digits of the longest offset. */
const MAX_DIGITS = 8;

function offsetAfter(offset: string, bytes: number, radix: number): string {
  return (Number.parseInt(offset, radix) + bytes).toString(radix).padStart(offset.length, "0");
}

/**
 * The digits at the end of what was read of a dump's line. The offset of the next line, wherever it stands, says that
 * the line is whole.
 */
export class OffsetTail {
  #digits = "";
  #starts: number[] = [];
  /** End of the line in front of each digit. */
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

  /** The last digits. */
  last(width: number): string {
    return this.#digits.slice(-width);
  }

  /** End of the line in front of the last digits. */
  lineEnd(width: number, start: number): number {
    return Math.max(this.#starts.at(-width) ?? start, this.#ends.at(-width) ?? start);
  }

  /** True if the digits are the offset after a line. `token`: what was read of a token, without the last digit. */
  isNextOffset(line: DumpLine, token: string): boolean {
    const width = line.offset.length;
    if (this.#digits.length < width) return false;
    const before = token.slice(0, Math.max(0, token.length + 1 - width));
    const size = line.bytes + sizeOf(before);
    if (size < 1) return false;
    const tail = this.last(width).toLowerCase();
    // Words of two bytes may be padded at the end of the data.
    for (const bytes of [Math.floor(size), Math.floor(size) - 1]) {
      if (tail === offsetAfter(line.offset, bytes, 16)) return true;
      // `od` counts in octal, with seven digits.
      if (/^[0-7]{7}$/.test(line.offset) && tail === offsetAfter(line.offset, bytes, 8)) return true;
    }
    return isCells(line) && this.#isAfterCells(line.offset, tail, token.length === width - 1);
  }

  /** Cells are not counted: an escape in one of them may have become a line end. A line has 16 unless it is the last. */
  #isAfterCells(offset: string, tail: string, isToken: boolean): boolean {
    return [8, 16].some((radix) => {
      const cells = Number.parseInt(tail, radix) - Number.parseInt(offset, radix);
      return (isToken && cells > 0 && cells < 16) || cells === 16;
    });
  }
}
