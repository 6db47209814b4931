import type { ByteSink } from "./byte-sink.ts";

/**
 * Number of consecutive decoded bytes that must be text before `TextGate` passes them on. Every secret that is searched
 * here has at least this number of bytes, so its decoded text is always passed on.
 */
const MIN_TEXT = 8;
const NOT_TEXT = 0;
const ASCII = 1;
const CONTINUATION = 2;
const LEAD = 3;

function kindOf(byte: number): number {
  if (byte < 0x20)
    return byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b || byte === 0x07 ? ASCII : NOT_TEXT;
  if (byte < 0x7f) return ASCII;
  if (byte >= 0x80 && byte < 0xc0) return CONTINUATION;
  return byte >= 0xc2 && byte < 0xf5 ? LEAD : NOT_TEXT;
}

const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));

/** Returns whether text in UTF-8 may start with the three given bytes. */
export function mayBeginWith(first: number, second: number, third: number): boolean {
  const one = KINDS[first] ?? NOT_TEXT;
  if (one !== ASCII && one !== LEAD) return false;
  const two = KINDS[second] ?? NOT_TEXT;
  return mayFollow(one, two) && mayFollow(two, KINDS[third] ?? NOT_TEXT);
}

/** Returns whether, in UTF-8, a byte of the class `next` may follow a byte of the class `kind`. */
function mayFollow(kind: number, next: number): boolean {
  return next === CONTINUATION ? kind >= CONTINUATION : next !== NOT_TEXT && kind !== LEAD;
}

/** Returns whether a byte is a printable ASCII character or ASCII whitespace. */
export function isAsciiText(byte: number): boolean {
  return KINDS[byte] === ASCII;
}

/** Returns whether a byte can be the first byte of UTF-8 text. */
export function mayBeginText(byte: number): boolean {
  return KINDS[byte] === ASCII || KINDS[byte] === LEAD;
}

/** Reader of decoded bytes. */
export interface Inner {
  /** Opens the reader. */
  open(): ByteSink;
  /** Table indexed by byte value: 1 if a secret may start with this decoded byte. */
  readonly begins: Uint8Array;
  /** True if secrets contain non-ASCII characters. */
  readonly isWide: boolean;
}

/** Returns true if the table contains 1 for at least one byte of the range. */
export function mayBegin(table: Uint8Array, from: number, count: number): boolean {
  for (let byte = from; byte < from + count; byte += 1) if (table[byte] === 1) return true;
  return false;
}

/**
 * Passes decoded bytes on as long as they are text, after buffering the first `MIN_TEXT` of them. If the original text
 * was not encoded, decoding it soon yields bytes that are not text. Ordinary text is therefore processed fast.
 */
export class TextGate implements ByteSink {
  readonly #inner: Inner;
  #sink: ByteSink | undefined;
  #isPassing = false;
  #kind = ASCII;
  #count = 0;
  readonly #bytes = new Uint8Array(MIN_TEXT);
  readonly #starts = new Float64Array(MIN_TEXT);
  readonly #ends = new Float64Array(MIN_TEXT);

  constructor(inner: Inner) {
    this.#inner = inner;
  }

  /** Adds a decoded byte. If the byte is not text, resets the state and returns false. */
  accepts(byte: number, start: number, end: number): boolean {
    const kind = KINDS[byte] ?? NOT_TEXT;
    const isText = mayFollow(this.#kind, kind);
    this.#kind = kind;
    if (!isText) {
      this.interrupt();
      return false;
    }
    if (this.#isPassing) this.#sink?.push(byte, start, end);
    else this.#buffer(byte, start, end);
    return true;
  }

  push(byte: number, start: number, end: number): void {
    this.accepts(byte, start, end);
  }

  interrupt(): void {
    if (this.#isPassing) this.#sink?.interrupt();
    this.#isPassing = false;
    this.#count = 0;
    this.#kind = ASCII;
  }

  isIdle(): boolean {
    return this.#count === 0 && !this.#isPassing;
  }

  pendingFrom(): number {
    if (this.#isPassing) return this.#sink?.pendingFrom() ?? Number.POSITIVE_INFINITY;
    const { begins } = this.#inner;
    if (!this.#bytes.subarray(0, this.#count).some((byte) => begins[byte] === 1)) return Number.POSITIVE_INFINITY;
    const sink = this.#pass();
    const pending = sink.pendingFrom();
    sink.interrupt();
    return pending;
  }

  #buffer(byte: number, start: number, end: number): void {
    this.#bytes[this.#count] = byte;
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
    if (this.#count < MIN_TEXT) return;
    this.#isPassing = true;
    this.#pass();
  }

  #pass(): ByteSink {
    this.#sink ??= this.#inner.open();
    for (let index = 0; index < this.#count; index += 1) {
      this.#sink.push(this.#bytes[index] ?? 0, this.#starts[index] ?? 0, this.#ends[index] ?? 0);
    }
    return this.#sink;
  }
}
