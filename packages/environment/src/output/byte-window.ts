import { joinBytes } from "./join-bytes.ts";

/** UTF-8 uses at most three bytes for one UTF-16 code unit. */
const BYTES_PER_CHARACTER = 3;

/** Text of an output stream, truncated if it was too long. */
export interface WindowText {
  /**
   * The complete text; if it was truncated, its head and tail, with a line in between that states how much is missing.
   */
  readonly text: string;
  /** Number of omitted bytes. */
  readonly droppedBytes: number;
}

/** Stores the head and the tail of a byte stream in bounded memory, and counts the bytes in between. */
export interface ByteWindow {
  /** Adds bytes, which are copied. */
  write(chunk: Uint8Array): void;
  /**
   * Adds a number of bytes in the middle of the stream to the count, without their content. The caller must pass the
   * first `ends` bytes of the stream to `write` before this call, and the last `ends` bytes after it.
   */
  skip(bytes: number): void;
  /** Maximum size of the head and of the tail, in bytes. */
  readonly ends: number;
  /**
   * Returns the text so far, at most `maxChars` UTF-16 code units. Invalid UTF-8 becomes U+FFFD; a BOM is preserved.
   */
  toText(): WindowText;
}

/**
 * Creates a buffer that stores the head and the tail of a stream, at most `maxChars` characters. Memory use stays below
 * six bytes per character.
 */
export function createByteWindow(maxChars: number): ByteWindow {
  const half = Math.ceil(Math.max(0, maxChars) / 2) * BYTES_PER_CHARACTER;
  const head = createHead(half);
  const tail = createTail(half);
  let total = 0;
  return {
    ends: half,
    skip(bytes) {
      total += bytes;
    },
    write(chunk) {
      total += chunk.length;
      const written = head.write(chunk);
      if (written < chunk.length) tail.write(chunk.subarray(written));
    },
    toText() {
      const [first, last] = [head.bytes(), tail.bytes()];
      if (first.length + last.length === total) {
        const text = decode(joinBytes([first, last]));
        if (text.length <= maxChars) return { text, droppedBytes: 0 };
        return cutMiddle({ first: text, last: text }, total, maxChars);
      }
      return cutMiddle({ first: decode(first, true), last: decode(withoutContinuation(last)) }, total, maxChars);
    },
  };
}

function createHead(limit: number): { write(chunk: Uint8Array): number; bytes(): Uint8Array } {
  let buffer = new Uint8Array(0);
  let used = 0;
  return {
    write(chunk) {
      const written = Math.min(chunk.length, limit - used);
      if (written === 0) return 0;
      if (used + written > buffer.length) {
        const grown = new Uint8Array(Math.min(limit, Math.max(used + written, buffer.length * 2)));
        grown.set(buffer.subarray(0, used));
        buffer = grown;
      }
      buffer.set(chunk.subarray(0, written), used);
      used += written;
      return written;
    },
    bytes: () => buffer.subarray(0, used),
  };
}

/**
 * Creates a ring buffer for the last bytes of a stream. An array of chunks would need much memory if each chunk had
 * only one byte.
 */
function createTail(limit: number): { write(chunk: Uint8Array): void; bytes(): Uint8Array } {
  let ring: Uint8Array | undefined;
  let position = 0;
  let filled = 0;
  return {
    write(chunk) {
      if (limit === 0) return;
      ring ??= new Uint8Array(limit);
      const suffix = chunk.subarray(Math.max(0, chunk.length - limit));
      const untilEnd = Math.min(suffix.length, limit - position);
      ring.set(suffix.subarray(0, untilEnd), position);
      ring.set(suffix.subarray(untilEnd), 0);
      position = (position + suffix.length) % limit;
      filled = Math.min(limit, filled + suffix.length);
    },
    bytes() {
      if (ring === undefined) return new Uint8Array(0);
      if (filled < limit) return ring.subarray(0, filled);
      return joinBytes([ring.subarray(position), ring.subarray(0, position)]);
    },
  };
}

function cutMiddle(ends: { first: string; last: string }, totalBytes: number, maxChars: number): WindowText {
  // The exact number of dropped bytes is not known yet. It has at most as many digits as the total number.
  const room = maxChars - marker(totalBytes).length;
  const keptChars = Math.max(0, room > 0 ? room : maxChars);
  const tailChars = Math.floor(keptChars / 2);
  const first = withoutHalfPair(ends.first.slice(0, keptChars - tailChars), "end");
  const last = tailChars === 0 ? "" : withoutHalfPair(ends.last.slice(-tailChars), "start");
  const droppedBytes = Math.max(0, totalBytes - byteLengthOf(first) - byteLengthOf(last));
  return { text: room > 0 ? first + marker(droppedBytes) + last : first + last, droppedBytes };
}

function marker(bytes: number): string {
  return `\n[... ${bytes} bytes dropped ...]\n`;
}

/** Removes half of a surrogate pair that truncation left at the start or end of a text. */
function withoutHalfPair(text: string, edge: "start" | "end"): string {
  if (edge === "start") return isSurrogate(text.charCodeAt(0), 0xdc00) ? text.slice(1) : text;
  return isSurrogate(text.charCodeAt(text.length - 1), 0xd800) ? text.slice(0, -1) : text;
}

function isSurrogate(unit: number, from: number): boolean {
  return unit >= from && unit < from + 0x400;
}

function byteLengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function withoutContinuation(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** Decodes UTF-8. With `isCut`, an incomplete character at the end is dropped. Otherwise it becomes U+FFFD. */
function decode(bytes: Uint8Array, isCut = false): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: isCut });
}
