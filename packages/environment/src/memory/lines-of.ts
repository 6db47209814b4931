import type { ReadFileOptions } from "@switchyard/contracts";

const NEWLINE = 0x0a;

/** Bytes of a window of lines, line ends included, so that windows put together give the whole. */
export function linesOf(bytes: Uint8Array, { offset = 1, limit }: ReadFileOptions): Uint8Array {
  const first = Math.max(1, Math.floor(offset));
  const count = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(limit));
  const start = skipLines(bytes, 0, first - 1);
  return bytes.subarray(start, Number.isFinite(count) ? skipLines(bytes, start, count) : bytes.length);
}

/** Where the line begins that is so many behind the one that begins at `from`; the end where there are fewer. */
function skipLines(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let line = 0; line < count; line += 1) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}
