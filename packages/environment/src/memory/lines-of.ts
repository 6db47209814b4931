import type { ReadFileOptions } from "@switchyard/contracts";

const NEWLINE = 0x0a;

/**
 * Returns the bytes of a range of lines, line endings included. If consecutive ranges are concatenated, the result
 * equals the whole content.
 */
export function linesOf(bytes: Uint8Array, { offset = 1, limit }: ReadFileOptions): Uint8Array {
  const first = Math.max(1, Math.floor(offset));
  const count = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(limit));
  const start = skipLines(bytes, 0, first - 1);
  return bytes.subarray(start, Number.isFinite(count) ? skipLines(bytes, start, count) : bytes.length);
}

/**
 * Returns the offset of the line that is `count` lines after the one at `from`. If there are fewer lines, returns the
 * end of the content.
 */
function skipLines(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let line = 0; line < count; line += 1) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}
