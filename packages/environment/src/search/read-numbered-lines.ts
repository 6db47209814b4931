import { joinBytes } from "../output/join-bytes.ts";
import { decodeLine } from "./decode-line.ts";
import { decodeUtf16 } from "./decode-utf16.ts";
import { withoutReturn } from "./match-collector.ts";

const NEWLINE = 0x0a;
/** Maximum number of bytes that are read of each line. The rest of the line is ignored. */
const MAX_LINE_BYTES = 1024 * 1024;
/**
 * A file with a NUL within this number of leading bytes is binary and is skipped. The number equals ripgrep's buffer
 * size.
 */
const BINARY_CHECK_BYTES = 64 * 1024;

/** A line of a file. */
export interface NumberedLine {
  /** Line number, 1-based. */
  readonly number: number;
  /** Text without line ending. A line that is not UTF-8 is decoded as Latin-1 or Windows-1252. */
  readonly text: string;
}

/**
 * Yields the lines of a file in batches, up to its first NUL. Yields nothing for a file with a NUL near its start. A
 * file with a UTF-16 byte order mark is decoded first.
 */
export async function* readNumberedLines(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<readonly NumberedLine[]> {
  let number = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const take = (bytes: Uint8Array): void => {
    if (pendingBytes < MAX_LINE_BYTES && bytes.length > 0) pending.push(bytes);
    pendingBytes += bytes.length;
  };
  for await (const { bytes, isLast } of untilNul(decodeUtf16(content))) {
    const lines: NumberedLine[] = [];
    let start = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      number += 1;
      const end = bytes.subarray(start, at);
      if (pending.length === 0) {
        lines.push({ number, text: toText(end, number) });
      } else {
        take(end);
        lines.push({ number, text: toText(joinBytes(pending), number) });
        pending = [];
      }
      pendingBytes = 0;
      start = at + 1;
    }
    // The end of the chunk is copied, because the source may reuse its buffer.
    take(bytes.slice(start));
    if (lines.length > 0) yield lines;
    // Text directly before a NUL may be an incomplete line, and is not returned.
    if (isLast) return;
  }
  if (pendingBytes > 0) yield [{ number: number + 1, text: toText(joinBytes(pending), number + 1) }];
}

/**
 * Yields the chunks up to the first NUL. The first chunk contains all bytes in which a NUL would mark the file as
 * binary.
 */
async function* untilNul(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
  let front: Uint8Array[] | undefined = [];
  let checked = 0;
  for await (const piece of content) {
    let bytes = piece;
    if (front !== undefined) {
      checked += piece.length;
      if (piece.subarray(0, BINARY_CHECK_BYTES - (checked - piece.length)).includes(0)) return;
      front.push(piece.slice());
      if (checked < BINARY_CHECK_BYTES) continue;
      bytes = joinBytes(front);
      front = undefined;
    }
    const nulAt = bytes.indexOf(0);
    yield { bytes: nulAt < 0 ? bytes : bytes.subarray(0, nulAt), isLast: nulAt >= 0 };
    if (nulAt >= 0) return;
  }
  if (front !== undefined && checked > 0) yield { bytes: joinBytes(front), isLast: false };
}

/** Removes the byte order mark, as ripgrep does, because it would prevent `^` from matching. */
function toText(bytes: Uint8Array, number: number): string {
  const text = decodeLine(bytes.subarray(0, MAX_LINE_BYTES));
  return withoutReturn(number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text);
}
