import { joinBytes } from "../output/join-bytes.ts";
import { decodeLine } from "./decode-line.ts";
import { decodeUtf16 } from "./decode-utf16.ts";
import { withoutReturn } from "./match-collector.ts";

const NEWLINE = 0x0a;
/** The rest of a longer line is not looked at. */
const MAX_LINE_BYTES = 1024 * 1024;
/** A NUL so far at the front makes a file binary, which is then not searched at all; ripgrep's buffer has this size. */
const BINARY_CHECK_BYTES = 64 * 1024;

/** A line of a file. */
export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  /** Without its end; a line that is not UTF-8 is read as Latin-1 or Windows-1252. */
  readonly text: string;
}

/**
 * The lines of a file in portions, up to its first NUL; none of a file that has one near its start. A file with a byte
 * order mark of UTF-16 is decoded first.
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
    // Copied: the place may use its buffer again.
    take(bytes.slice(start));
    if (lines.length > 0) yield lines;
    // What is in front of the NUL in its line is not known to be a line.
    if (isLast) return;
  }
  if (pendingBytes > 0) yield [{ number: number + 1, text: toText(joinBytes(pending), number + 1) }];
}

/** Pieces in front of the first NUL; the first one has all the bytes that are checked before anything is searched. */
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

/** Like ripgrep without the byte order mark, which would keep `^` from matching. */
function toText(bytes: Uint8Array, number: number): string {
  const text = decodeLine(bytes.subarray(0, MAX_LINE_BYTES));
  return withoutReturn(number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text);
}
