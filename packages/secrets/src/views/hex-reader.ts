import type { ByteSink } from "./byte-sink.ts";
import type { Grouping } from "./encoded-runs.ts";
import { EncodedTail, type TailDecoder } from "./encoded-tail.ts";
import { type Inner, isAsciiText, TextGate } from "./text-gate.ts";

const NEWLINE = 0x0a;
const SPACE = 0x20;
const NONE = 255;
/** Value of each hex digit. `NONE` for other characters. */
export const HEX_VALUES: Uint8Array = new Uint8Array(256).fill(NONE);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  HEX_VALUES[digit.charCodeAt(0)] = value;
  HEX_VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}
/**
 * Describes hexadecimal text: groups of two digits. At least 16 digits are decoded, because the shortest secret has
 * eight bytes.
 */
export const HEX_GROUPS: Grouping = { size: 2, bits: 4, length: 16, isText: isAsciiText };

/** Decodes pairs of hex digits, starting at the first digit that it receives. */
class PairDecoder implements TailDecoder {
  readonly #gate: TextGate;
  #first: { readonly value: number; readonly start: number } | undefined;
  isAlive = false;

  constructor(inner: Inner) {
    this.#gate = new TextGate(inner);
  }

  readonly push = (value: number, start: number, end: number): void => {
    const first = this.#first;
    this.#first = first === undefined ? { value, start } : undefined;
    if (first !== undefined) this.isAlive = this.#gate.accepts(first.value * 16 + value, first.start, end);
  };

  begin(): void {
    this.isAlive = true;
    this.#first = undefined;
  }

  end(): void {
    if (this.isAlive) this.#gate.interrupt();
    this.isAlive = false;
  }

  pendingFrom(): number {
    return this.isAlive
      ? Math.min(this.#first?.start ?? Number.POSITIVE_INFINITY, this.#gate.pendingFrom())
      : Number.POSITIVE_INFINITY;
  }
}

/**
 * Decodes plain hex that directly follows other letters or digits, as in a path. `DumpReader` handles hex at the start
 * of a word. There are two decoders, because a pair may start at an even or odd digit. Line ends and the indentation
 * after them are skipped.
 */
export class HexReader implements ByteSink {
  readonly #decoders: readonly [PairDecoder, PairDecoder];
  readonly #begins: Uint8Array;
  readonly #tail = new EncodedTail(HEX_GROUPS);
  /** Decodes the most recently read digits, to find out whether they may contain the start of a secret. */
  readonly #tailDecoder: PairDecoder;
  #isReading = false;
  #isAfterNewline = false;

  constructor(inner: Inner) {
    this.#decoders = [new PairDecoder(inner), new PairDecoder(inner)];
    this.#tailDecoder = new PairDecoder(inner);
    this.#begins = inner.begins;
  }

  push(code: number, start: number, end: number): void {
    const value = HEX_VALUES[code] ?? NONE;
    if (value === NONE) {
      if (this.#isReading) this.#skip(code);
      return;
    }
    this.#isReading = true;
    this.#isAfterNewline = false;
    for (const decoder of this.#decoders) if (decoder.isAlive) decoder.push(value, start, end);
    if (!this.#tail.add(value, start, end)) return;
    const decoder = this.#decoders[this.#tail.phase === 0 ? 0 : 1];
    if (decoder.isAlive) return;
    decoder.begin();
    this.#tail.replay(decoder.push);
  }

  interrupt(): void {
    if (!this.#isReading) return;
    for (const decoder of this.#decoders) decoder.end();
    this.#tail.reset();
    this.#isReading = false;
  }

  isIdle(): boolean {
    return !this.#decoders[0].isAlive && !this.#decoders[1].isAlive;
  }

  pendingFrom(): number {
    if (!this.#isReading) return Number.POSITIVE_INFINITY;
    return Math.min(
      this.#tail.pendingFrom(this.#begins, this.#tailDecoder),
      this.#decoders[0].pendingFrom(),
      this.#decoders[1].pendingFrom(),
    );
  }

  #skip(code: number): void {
    if (code === NEWLINE) this.#isAfterNewline = true;
    else if (code !== SPACE || !this.#isAfterNewline) this.interrupt();
  }
}
