import { EncodedRuns, type Grouping } from "./encoded-runs.ts";
import { mayBegin, mayBeginText } from "./text-gate.ts";

const SIZE = 16;

/** Function that receives the value of an encoded character, and its range `[start, end)` in the original text. */
export type CharacterSink = (value: number, start: number, end: number) => void;

/** Decoder for encoded text that starts in the middle of a word. */
export interface TailDecoder {
  /** True if only text has been decoded so far. */
  readonly isAlive: boolean;
  /** Starts decoding at the next character. */
  begin(): void;
  /** Adds the value of an encoded character. The range `[start, end)` of the original text contains this character. */
  push(value: number, start: number, end: number): void;
  /** Stops decoding. */
  end(): void;
  /**
   * Returns the position, in the original text, of the first character that may be the beginning of a secret whose end
   * has not been read yet. `Infinity` if there is none.
   */
  pendingFrom(): number;
}

/**
 * Stores the last characters of a sequence that may contain encoded text. Encoded text can start anywhere in the
 * sequence, directly after other letters or digits. Once enough of the last characters decode to text, `replay` passes
 * them to a decoder.
 */
export class EncodedTail {
  readonly #grouping: Grouping;
  readonly #runs: EncodedRuns;
  readonly #values = new Uint8Array(SIZE);
  readonly #starts = new Float64Array(SIZE);
  readonly #ends = new Float64Array(SIZE);
  #count = 0;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
    this.#runs = new EncodedRuns(grouping);
  }

  /** Number of characters added so far, modulo the group size. A group of characters encodes whole bytes. */
  get phase(): number {
    return this.#count & (this.#grouping.size - 1);
  }

  /** True if at least one character was added. */
  get isBegun(): boolean {
    return this.#count > 0;
  }

  /** Adds a character. Returns whether enough consecutive characters now decode to text. */
  add(value: number, start: number, end: number): boolean {
    const slot = this.#count & (SIZE - 1);
    this.#values[slot] = value;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
    this.#count += 1;
    return this.#runs.add(value);
  }

  /**
   * Calls `push` for each of the last characters, oldest first. Contract: `add` has returned true, so these characters
   * decode to text.
   */
  replay(push: CharacterSink): void {
    this.#replayLast(this.#grouping.length, push);
  }

  #replayLast(count: number, push: CharacterSink): void {
    for (let back = count; back > 0; back -= 1) {
      const slot = (this.#count - back) & (SIZE - 1);
      push(this.#values[slot] ?? 0, this.#starts[slot] ?? 0, this.#ends[slot] ?? 0);
    }
  }

  /** Resets the state. The next character counts as the first. */
  reset(): void {
    this.#count = 0;
    this.#runs.reset();
  }

  /**
   * Returns the position, in the original text, of the first stored character that may be the beginning of an encoded
   * secret. `Infinity` if there is none. `begins` is a table indexed by byte value: 1 if a secret may start with this
   * byte. `decoder` decodes the stored characters; it must not be in use for other text.
   */
  pendingFrom(begins: Uint8Array, decoder: TailDecoder): number {
    if (this.#count === 0) return Number.POSITIVE_INFINITY;
    let pendingFrom = Number.POSITIVE_INFINITY;
    for (const count of this.#runs.pending()) {
      // After `length` characters that decode to text, a decoder was started. It reports its pending position itself.
      if (count >= this.#grouping.length) continue;
      const earliest = this.#pendingOf(count, begins);
      if (earliest >= pendingFrom) continue;
      pendingFrom = Math.min(pendingFrom, Math.max(earliest, this.#decodedPending(count, decoder)));
    }
    return pendingFrom;
  }

  /**
   * Decodes the last `count` characters. Returns the position, in the original text, at which a secret may start in
   * them. `Infinity` if there is none.
   */
  #decodedPending(count: number, decoder: TailDecoder): number {
    decoder.begin();
    this.#replayLast(count, (value, start, end) => {
      if (decoder.isAlive) decoder.push(value, start, end);
    });
    const pendingFrom = decoder.pendingFrom();
    decoder.end();
    return pendingFrom;
  }

  #pendingOf(count: number, begins: Uint8Array): number {
    const { bits } = this.#grouping;
    const first = this.#count - count;
    let [buffer, size, decoded] = [0, 0, 0];
    for (let index = 0; index < count; index += 1) {
      buffer = ((buffer << bits) | (this.#values[(first + index) & (SIZE - 1)] ?? 0)) & 0xffff;
      size += bits;
      if (size < 8) continue;
      size -= 8;
      const byte = (buffer >> size) & 0xff;
      if (begins[byte] === 1) return this.#startOf(first, decoded);
      // If the characters do not decode to text, they are not encoded text.
      if (!mayBeginText(byte)) return Number.POSITIVE_INFINITY;
      decoded += 1;
    }
    const known = (buffer << (8 - size)) & 0xff;
    const isBegun = size > 0 && mayBegin(begins, known, 1 << (8 - size));
    return isBegun ? this.#startOf(first, decoded) : Number.POSITIVE_INFINITY;
  }

  #startOf(first: number, byte: number): number {
    const index = Math.floor((8 * byte) / this.#grouping.bits);
    return this.#starts[(first + index) & (SIZE - 1)] ?? Number.POSITIVE_INFINITY;
  }
}
