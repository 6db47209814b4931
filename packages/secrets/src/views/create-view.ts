import { Base64Reader } from "./base64-reader.ts";
import type { ByteSink } from "./byte-sink.ts";
import { DumpReader } from "./dump-reader.ts";
import { RAW_BYTE } from "./escape-reader.ts";
import { HexReader } from "./hex-reader.ts";
import { type JoinedReader, LineJoiner } from "./line-joiner.ts";
import { type Search, SecretFinder } from "./secret-finder.ts";
import type { Inner } from "./text-gate.ts";
import { createTextReader } from "./text-reader.ts";
import type { UnitCount } from "./unit-count.ts";

const CARRIAGE_RETURN = 0x0d;
/** Encodings inside of encodings that are undone, besides any number of escapes. */
export const MAX_DEPTH = 3;

/** Where a view continues after a part of the text that it has not seen. */
interface Resumption {
  /** The character before may belong to base64. */
  readonly isInEncoding: boolean;
  /** The character before is a letter or a digit. */
  readonly isInWord: boolean;
  /** Characters before it in the same line. */
  readonly column: number;
}

/** Looks at a text itself: takes its code units. */
export interface View extends ByteSink {
  /** True in the middle of a word: an encoding may have begun in it although nothing is under way. */
  isInWord(): boolean;
  /** Continues after a part of the text that the view has not seen. */
  resume(place: Resumption): void;
}

interface Readers {
  readonly base64: Base64Reader;
  readonly dump: DumpReader;
  readonly text: JoinedReader;
}

/** Creates the readers of a text at a depth. Line ends may be in front of escapes, or in what they stand for. */
function createReaders(search: Search, depth: number, values: ByteSink = new SecretFinder(search)): Readers {
  const units: UnitCount = { count: 0, lastBreak: 0, lastNewline: -1 };
  const begins = search.begins[depth + 1] ?? search.first;
  const inner: Inner = { open: () => createInnerView(search, depth + 1), begins, isWide: search.isWide };
  const createDump = (): DumpReader => new DumpReader(inner, units);
  const [base64, dump] = [new Base64Reader(inner), createDump()];
  const symbols =
    depth < MAX_DEPTH
      ? [
          base64,
          new HexReader(inner),
          new LineJoiner({ sink: dump, units }, () => ({ sink: createDump(), units }), true),
        ]
      : [];
  const reader = createTextReader({ symbols, values });
  const sink: ByteSink = {
    push(code, start, end) {
      if (code !== CARRIAGE_RETURN) units.count += 1;
      reader.push(code, start, end);
    },
    interrupt: () => reader.interrupt(),
    isIdle: () => reader.isIdle(),
    heldFrom: () => reader.heldFrom(),
  };
  return { base64, dump, text: { sink, units } };
}

/** Creates the view of a text: it finds secrets in it, and opens a view of whatever base64 or dump it contains. */
export function createView(search: Search): View {
  const { base64, dump, text: plain } = createReaders(search, 0);
  const text = new LineJoiner(plain, () => createReaders(search, 0).text);
  return {
    push: (unit, start, end) => text.push(unit, start, end),
    interrupt: () => text.interrupt(),
    isIdle: () => text.isIdle(),
    heldFrom: () => text.heldFrom(),
    isInWord: () => base64.isInWord(),
    resume({ isInEncoding, isInWord, column }) {
      text.interrupt();
      text.resume(column);
      if (isInEncoding) base64.resume();
      if (isInWord) dump.resume();
    },
  };
}

const NO_VALUES: ByteSink = {
  push: () => undefined,
  interrupt: () => undefined,
  isIdle: () => true,
  heldFrom: () => Number.POSITIVE_INFINITY,
};

/**
 * True if neither a secret nor an encoding of one can begin inside of a known secret and continue after it. `text` is
 * the secret and the character after it.
 */
export function endsWithin(search: Search, text: string): boolean {
  const { sink } = createReaders({ ...search, report: () => undefined }, 0, NO_VALUES).text;
  let state = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    sink.push(unit, index, index + 1);
    if (index > 0 && index < text.length - 1) state = search.automaton.next(state, unit);
  }
  return search.automaton.depth(state) === 0 && sink.heldFrom() === Number.POSITIVE_INFINITY;
}

function createInnerView(search: Search, depth: number): ByteSink {
  const open = (): JoinedReader => createReaders(search, depth).text;
  const text = new LineJoiner(open(), open);
  return {
    push: (byte, start, end) => text.push(byte < 0x80 ? byte : RAW_BYTE + byte, start, end),
    interrupt: () => text.interrupt(),
    isIdle: () => text.isIdle(),
    heldFrom: () => text.heldFrom(),
  };
}
