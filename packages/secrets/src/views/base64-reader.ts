import type { ByteSink } from "./byte-sink.ts";
import type { Grouping } from "./encoded-runs.ts";
import { EncodedTail, type TailDecoder } from "./encoded-tail.ts";
import { type Inner, mayBegin, mayBeginWith, TextGate } from "./text-gate.ts";

const NEWLINE = 0x0a;
const SPACE = 0x20;
const NONE = 255;
/**
 * Smallest base64 value with which encoded text cannot start. From this value up to `FIRST_LEAD` (exclusive), the first
 * decoded byte would be a UTF-8 continuation byte.
 */
const FIRST_CONTINUATION = 0x80 >> 2;
const FIRST_LEAD = 0xc0 >> 2;
const ALPHABETS = ["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "-_"] as const;
/** Value of each character in base64 and base64url. A value above 63 marks characters outside the alphabet. */
export const BASE64_VALUES: Uint8Array = new Uint8Array(256).fill(NONE);
for (let value = 0; value < 64; value += 1) BASE64_VALUES[ALPHABETS[0].charCodeAt(value)] = value;
for (let value = 0; value < 2; value += 1) BASE64_VALUES[ALPHABETS[1].charCodeAt(value)] = 62 + value;

/** Returns whether the three bytes that four base64 characters encode may be the start of text. */
function isTextGroup(bits: number): boolean {
  return mayBeginWith(bits >> 16, (bits >> 8) & 0xff, bits & 0xff);
}

/**
 * Properties of base64, whose groups have four characters. Three consecutive groups that decode to text count as
 * encoded text. This is short enough: only secrets that are encoded at least twice must be found by decoding, and they
 * have at least three groups. Secrets that are encoded once are found by patterns of their encoded form.
 */
export const BASE64_GROUPS: Grouping = { size: 4, bits: 6, length: 12, isText: isTextGroup };

/** Returns whether four characters may be the start of base64-encoded text. */
export function decodesToText(group: string): boolean {
  let bits = 0;
  for (let index = 0; index < 4; index += 1) bits = (bits << 6) | (BASE64_VALUES[group.charCodeAt(index)] ?? 0);
  return isTextGroup(bits);
}

/** Decodes base64 that starts with a given character. */
class Decoder implements TailDecoder {
  readonly #gate: TextGate;
  readonly #begins: Uint8Array;
  readonly #starts = new Float64Array(4);
  #bits = 0;
  count = 0;
  isAlive = false;

  constructor(inner: Inner) {
    this.#gate = new TextGate(inner);
    this.#begins = inner.begins;
  }

  begin(): void {
    this.count = 0;
    this.isAlive = true;
  }

  end(): void {
    if (this.isAlive) this.#gate.interrupt();
    this.isAlive = false;
  }

  push(value: number, start: number, end: number): void {
    const phase = this.count & 3;
    this.count += 1;
    this.#starts[phase] = start;
    this.#bits = ((this.#bits << 6) | value) & 0xff_ffff;
    if (phase === 0) return;
    const byte = (this.#bits >> (6 - 2 * phase)) & 0xff;
    if (!this.#gate.accepts(byte, this.#starts[phase - 1] ?? start, end)) this.isAlive = false;
  }

  pendingFrom(): number {
    if (!this.isAlive) return Number.POSITIVE_INFINITY;
    return Math.min(this.#pendingBits(), this.#gate.pendingFrom());
  }

  /**
   * Returns the position of the character that contains the first bits of an incomplete byte, if a secret may start
   * with this byte. Otherwise returns `Infinity`.
   */
  #pendingBits(): number {
    const phase = this.count & 3;
    if (phase === 0) return Number.POSITIVE_INFINITY;
    const count = 4 ** phase;
    const from = (this.#bits * count) & 0xff;
    return mayBegin(this.#begins, from, count) ? (this.#starts[phase - 1] ?? 0) : Number.POSITIVE_INFINITY;
  }
}

/**
 * Decodes base64 and base64url in a text. Line ends and the indentation after them are skipped. In base64, each group
 * of four characters encodes three bytes. It is unknown where a group starts, because encoded text may directly follow
 * other letters, as in a path. Up to four decoders therefore run at the same time, one for each possible start. A
 * decoder starts at the beginning of a word or line, or with several consecutive groups that decode to text.
 */
export class Base64Reader implements ByteSink {
  readonly #decoders: readonly Decoder[];
  readonly #begins: Uint8Array;
  readonly #tail = new EncodedTail(BASE64_GROUPS);
  /** Decodes the last characters to find out whether a secret may start in them. */
  readonly #tailDecoder: Decoder;
  #isRunning = false;
  #isAfterNewline = false;
  /** True if at least one decoder has decoded only text so far. */
  #isAlive = false;

  constructor(inner: Inner) {
    this.#decoders = Array.from({ length: 4 }, () => new Decoder(inner));
    this.#tailDecoder = new Decoder(inner);
    this.#begins = inner.begins;
  }

  push(byte: number, start: number, end: number): void {
    const value = BASE64_VALUES[byte] ?? NONE;
    if (value === NONE) {
      this.#skip(byte);
      return;
    }
    if (!this.#isRunning || this.#isAfterNewline) this.#begin(value);
    if (this.#isAlive) this.#decode(value, start, end);
    if (this.#tail.add(value, start, end)) this.#beginWithTail();
  }

  interrupt(): void {
    if (this.#isAlive) for (const decoder of this.#decoders) decoder.end();
    this.#isAlive = false;
    this.#tail.reset();
    this.#isRunning = false;
    this.#isAfterNewline = false;
  }

  isIdle(): boolean {
    return !this.#isAlive;
  }

  /** Returns whether the reader is inside a word. Encoded text may have started earlier in the word. */
  isInWord(): boolean {
    return this.#tail.isBegun;
  }

  /**
   * Resumes in the middle of a word. No decoder starts at the next character, as one would at the beginning of a word.
   * A decoder starts only once some of the following characters decode to text.
   */
  resume(): void {
    this.#isRunning = true;
  }

  pendingFrom(): number {
    let pendingFrom = this.#tail.pendingFrom(this.#begins, this.#tailDecoder);
    if (this.#isAlive) for (const decoder of this.#decoders) pendingFrom = Math.min(pendingFrom, decoder.pendingFrom());
    return pendingFrom;
  }

  /** Starts a decoder at the next character, unless a running decoder would decode the same bytes. */
  #begin(value: number): void {
    this.#isRunning = true;
    this.#isAfterNewline = false;
    // With this character, the first decoded byte could not be the start of a text.
    if (value >= FIRST_CONTINUATION && value < FIRST_LEAD) return;
    const decoder = this.#freeDecoder();
    if (decoder === undefined) return;
    decoder.begin();
    this.#isAlive = true;
  }

  #decode(value: number, start: number, end: number): void {
    this.#isAlive = false;
    for (const decoder of this.#decoders) {
      if (!decoder.isAlive) continue;
      decoder.push(value, start, end);
      this.#isAlive ||= decoder.isAlive;
    }
  }

  /** Starts a decoder with the characters read last, unless a running decoder would decode the same bytes. */
  #beginWithTail(): void {
    const decoder = this.#freeDecoder();
    if (decoder === undefined) return;
    decoder.begin();
    this.#tail.replay((value, start, end) => {
      if (decoder.isAlive) decoder.push(value, start, end);
    });
    this.#isAlive ||= decoder.isAlive;
  }

  /**
   * Returns an unused decoder. `undefined` if a running decoder has just completed a group of characters, so that a new
   * one would decode the same bytes.
   */
  #freeDecoder(): Decoder | undefined {
    let free: Decoder | undefined;
    for (const decoder of this.#decoders) {
      if (!decoder.isAlive) free ??= decoder;
      else if ((decoder.count & 3) === 0) return undefined;
    }
    return free;
  }

  #skip(byte: number): void {
    if (!this.#isRunning) return;
    if (byte === NEWLINE) this.#isAfterNewline = true;
    else if (byte === SPACE && (this.#isAfterNewline || this.#isComplete())) this.#isAfterNewline = true;
    else this.interrupt();
  }

  /**
   * Returns whether a decoder has read only complete groups of characters. A space after them may be a line end that a
   * shell has replaced.
   */
  #isComplete(): boolean {
    return this.#decoders.some(({ isAlive, count }) => isAlive && count >= 12 && (count & 3) === 0);
  }
}
