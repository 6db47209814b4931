import { type Inner, TextGate } from "./text-gate.ts";

/** A token of a hex dump, such as a group of hex digits: its characters, and their ranges in the original text. */
export interface DumpToken {
  readonly text: string;
  /** Start of each character in the original text. */
  readonly starts: readonly number[];
  /** End of each character in the original text. */
  readonly ends: readonly number[];
}

/** Possible interpretations of a token in a dump, for example as big-endian hex or as octal bytes. */
const CHANNELS = ["big", "little", "octal", "decimal", "cell"] as const;
type Channel = (typeof CHANNELS)[number];

interface Decoded {
  readonly channel: Channel;
  /**
   * Bytes that a token of the dump encodes. `index` is the position, in the token's text, of the first character that
   * encodes the byte.
   */
  readonly bytes: readonly (readonly [byte: number, index: number])[];
}

function hexAt(text: string, index: number): number {
  return Number.parseInt(text.slice(index, index + 2), 16);
}

/** Decodes hex digits as a little-endian number of two, four or eight bytes. */
function little(text: string): Decoded | undefined {
  if (![4, 8, 16].includes(text.length) || !/^[0-9A-Fa-f]+$/.test(text)) return undefined;
  const bytes = Array.from({ length: text.length / 2 }, (_, index) => {
    return [hexAt(text, text.length - 2 - 2 * index), 0] as const;
  });
  return { channel: "little", bytes };
}

function octal(text: string): Decoded | undefined {
  if (!/^(?:[0-3][0-7]{2}|[01][0-7]{5})$/.test(text)) return undefined;
  const value = Number.parseInt(text, 8);
  return {
    channel: "octal",
    bytes:
      text.length === 3
        ? [[value, 0]]
        : [
            [value & 0xff, 0],
            [value >> 8, 0],
          ],
  };
}

function decimal(text: string): Decoded | undefined {
  if (!/^[0-9]{1,3}$/.test(text) || Number(text) > 255) return undefined;
  return { channel: "decimal", bytes: [[Number(text), 0]] };
}

/** Decodes a column of `od -c`: one character, or the three octal digits of an unprintable one. */
function cell(text: string): Decoded | undefined {
  if (text.length === 1) return { channel: "cell", bytes: [[text.charCodeAt(0) & 0xff, 0]] };
  if (!/^[0-3][0-7]{2}$/.test(text)) return undefined;
  return { channel: "cell", bytes: [[Number.parseInt(text, 8), 0]] };
}

/** Decodes the tokens of a dump in every possible interpretation, each with a separate decoder. */
export class DumpChannels {
  readonly #gates: Readonly<Record<Channel, TextGate>>;

  constructor(inner: Inner) {
    const gate = (): TextGate => new TextGate(inner);
    this.#gates = { big: gate(), little: gate(), octal: gate(), decimal: gate(), cell: gate() };
  }

  /**
   * Decodes a token of a hex dump. Each decoded byte receives a range of the original text that starts with the
   * characters that encode the byte. If `end` is given, every range extends to this position. The end of a dump line is
   * passed here, so that a range also covers the text column, which shows the bytes as characters.
   */
  push(token: DumpToken, end?: number): void {
    const { text, starts, ends } = token;
    if (text.length % 2 === 0 && /^[0-9A-Fa-f]+$/.test(text)) this.#pushBig(token, end);
    const ways = [little(text), octal(text), decimal(text), end === undefined ? undefined : cell(text)];
    for (const decoded of ways) {
      if (decoded === undefined) continue;
      const gate = this.#gates[decoded.channel];
      for (const [byte, index] of decoded.bytes) {
        gate.push(byte, starts[index] ?? 0, end ?? ends.at(-1) ?? 0);
      }
    }
  }

  /** Decodes a token as pairs of hex digits, one byte each, in order. */
  #pushBig({ text, starts, ends }: DumpToken, end: number | undefined): void {
    for (let index = 0; index < text.length; index += 2) {
      this.#gates.big.push(hexAt(text, index), starts[index] ?? 0, end ?? ends[index + 1] ?? 0);
    }
  }

  interrupt(): void {
    for (const channel of CHANNELS) this.#gates[channel].interrupt();
  }

  pendingFrom(): number {
    return Math.min(...CHANNELS.map((channel) => this.#gates[channel].pendingFrom()));
  }
}
