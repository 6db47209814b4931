import type { ByteSink } from "./byte-sink.ts";
import { EscapeReader, RAW_BYTE } from "./escape-reader.ts";

const NEWLINE = 0x0a;
const SPACE = 0x20;
/**
 * Maximum number of consecutive characters, such as line ends and quotes, that may interrupt a secret. After more of
 * them, the following text does not continue the secret.
 */
const MAX_SKIPPED = 256;

function isHidden(code: number): boolean {
  if (code < 0x034f) return code === 0xad;
  if (code < 0x200b) {
    return code === 0x34f || code === 0x61c || code === 0x115f || code === 0x1160 || (code >= 0x180b && code <= 0x180f);
  }
  if (code <= 0x206f) return code <= 0x200f || (code >= 0x202a && code <= 0x202e) || code >= 0x2060;
  if (code < 0xfe00) return code === 0x3164;
  if (code <= 0xffa0) return code <= 0xfe0f || code === 0xfeff || code === 0xffa0;
  return code >= 0xe0000 && code <= 0xe0fff;
}

/** Consumers of the bytes that a text reader decodes. */
export interface ReadText {
  /** Receives every byte after unescaping. Line ends are line feeds. */
  readonly symbols: readonly ByteSink[];
  /**
   * Receives the bytes without line ends, indentation, quotes and backslashes, because these may interrupt a secret.
   */
  readonly values: ByteSink;
}

/** Combines UTF-16 units to characters and encodes them as UTF-8. */
class Utf8Writer implements ByteSink {
  readonly #sink: ByteSink;
  #high: { readonly code: number; readonly start: number; readonly end: number } | undefined;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  push(code: number, start: number, end: number): void {
    if (this.#high === undefined && code < 0x80) this.#sink.push(code, start, end);
    else this.#write(code, start, end);
  }

  interrupt(): void {
    this.#high = undefined;
    this.#sink.interrupt();
  }

  isIdle(): boolean {
    return this.#high === undefined && this.#sink.isIdle();
  }

  pendingFrom(): number {
    return Math.min(this.#high?.start ?? Number.POSITIVE_INFINITY, this.#sink.pendingFrom());
  }

  #write(code: number, start: number, end: number): void {
    const high = this.#high;
    this.#high = undefined;
    if (high !== undefined && code >= 0xdc00 && code < 0xe000) {
      this.#encode(0x1_0000 + (high.code - 0xd800) * 0x400 + (code - 0xdc00), high.start, end);
      return;
    }
    if (high !== undefined) this.#encode(0xfffd, high.start, high.end);
    if (code >= 0xd800 && code < 0xdc00) this.#high = { code, start, end };
    else this.#encode(code, start, end);
  }

  #encode(code: number, start: number, end: number): void {
    const push = (byte: number): void => this.#sink.push(byte, start, end);
    if (code >= RAW_BYTE) push(code - RAW_BYTE);
    else if (code < 0x80) push(code);
    else if (isHidden(code)) return;
    else if (code < 0x800) {
      push(0xc0 | (code >> 6));
      push(0x80 | (code & 0x3f));
    } else if (code < 0x1_0000) {
      push(0xe0 | (code >> 12));
      push(0x80 | ((code >> 6) & 0x3f));
      push(0x80 | (code & 0x3f));
    } else {
      push(0xf0 | (code >> 18));
      push(0x80 | ((code >> 12) & 0x3f));
      push(0x80 | ((code >> 6) & 0x3f));
      push(0x80 | (code & 0x3f));
    }
  }
}

/**
 * Passes each byte to the consumers in `symbols`. Also passes it to the consumer `values`, unless it is a character
 * that may interrupt a secret: a line end, indentation, a quote or a backslash.
 */
class ValueFilter implements ByteSink {
  readonly #read: ReadText;
  #isAfterNewline = false;
  #skipped = 0;

  constructor(read: ReadText) {
    this.#read = read;
  }

  push(byte: number, start: number, end: number): void {
    if (byte === 0x0d) return;
    const symbol = byte === 0x09 ? SPACE : byte;
    for (const sink of this.#read.symbols) sink.push(symbol, start, end);
    if (this.#isSkipped(symbol)) {
      this.#skipped += 1;
      if (this.#skipped === MAX_SKIPPED) this.#read.values.interrupt();
      return;
    }
    this.#skipped = 0;
    this.#isAfterNewline = false;
    this.#read.values.push(symbol, start, end);
  }

  interrupt(): void {
    for (const sink of this.#read.symbols) sink.interrupt();
    this.#read.values.interrupt();
    this.#isAfterNewline = false;
    this.#skipped = 0;
  }

  isIdle(): boolean {
    if (!this.#read.values.isIdle()) return false;
    for (const sink of this.#read.symbols) if (!sink.isIdle()) return false;
    return true;
  }

  pendingFrom(): number {
    let pending = this.#read.values.pendingFrom();
    for (const sink of this.#read.symbols) pending = Math.min(pending, sink.pendingFrom());
    return pending;
  }

  #isSkipped(byte: number): boolean {
    if (byte === NEWLINE) {
      this.#isAfterNewline = true;
      return true;
    }
    if (byte === SPACE) return this.#isAfterNewline;
    return byte === 0x22 || byte === 0x27 || byte === 0x5c || byte === 0x07;
  }
}

/** Creates a text reader, which decodes escape sequences and passes bytes to its consumers. */
export function createTextReader(read: ReadText): EscapeReader {
  return new EscapeReader(new Utf8Writer(new ValueFilter(read)));
}
