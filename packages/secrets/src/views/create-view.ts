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
/** Maximum depth of nested encodings that are decoded. Escapes do not count towards the depth. */
export const MAX_DEPTH = 3;

/**
 * Describes the skipped text before the position at which a view resumes. The view has not read the skipped text, but
 * needs these properties to decide whether encoded text may start at the position.
 */
interface Resumption {
  /** True if the preceding character may be part of base64. */
  readonly isInEncoding: boolean;
  /** True if the preceding character is a letter or digit. */
  readonly isInWord: boolean;
  /** Number of preceding characters in the same line. */
  readonly column: number;
}

/** Searches a text for secrets in encoded, escaped or wrapped form. Reads one code unit at a time. */
export interface View extends ByteSink {
  /**
   * Returns whether the last character belongs to a word that may be base64. Encoded text may then have started in this
   * word, even if `isIdle` returns true.
   */
  isInWord(): boolean;
  /** Continues reading at a later position, after the caller has skipped a part of the text. */
  resume(resumption: Resumption): void;
}

interface Readers {
  readonly base64: Base64Reader;
  readonly dump: DumpReader;
  readonly text: JoinedReader;
}

/**
 * Creates the readers that search a text for secrets. `depth` is the number of nested encodings that were already
 * decoded: 0 for the original text. A secret is found even if line ends were inserted into it, as plain characters or
 * as escapes (such as `\\n`).
 */
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
    pendingFrom: () => reader.pendingFrom(),
  };
  return { base64, dump, text: { sink, units } };
}

/**
 * Creates an object that searches a text for secrets. It decodes base64 and hex dumps, and searches the decoded text in
 * the same way.
 */
export function createView(search: Search): View {
  const { base64, dump, text: plain } = createReaders(search, 0);
  const text = new LineJoiner(plain, () => createReaders(search, 0).text);
  return {
    push: (unit, start, end) => text.push(unit, start, end),
    interrupt: () => text.interrupt(),
    isIdle: () => text.isIdle(),
    pendingFrom: () => text.pendingFrom(),
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
  pendingFrom: () => Number.POSITIVE_INFINITY,
};

/**
 * Returns true if no other secret, plain or encoded, can start inside a known secret and end after it. `text` is the
 * known secret and the character after it. Returns false if the secret contains non-ASCII characters: secrets are
 * searched as UTF-8 bytes, and such a character has several bytes.
 */
export function endsWithin(search: Search, text: string): boolean {
  if (/[^\0-\x7f]/u.test(text.slice(0, -1))) return false;
  const { sink } = createReaders({ ...search, report: () => undefined }, 0, NO_VALUES).text;
  let state = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    sink.push(unit, index, index + 1);
    if (index > 0 && index < text.length - 1) state = search.automaton.next(state, unit);
  }
  return search.automaton.depth(state) === 0 && sink.pendingFrom() === Number.POSITIVE_INFINITY;
}

function createInnerView(search: Search, depth: number): ByteSink {
  const open = (): JoinedReader => createReaders(search, depth).text;
  const text = new LineJoiner(open(), open);
  return {
    push: (byte, start, end) => text.push(byte < 0x80 ? byte : RAW_BYTE + byte, start, end),
    interrupt: () => text.interrupt(),
    isIdle: () => text.isIdle(),
    pendingFrom: () => text.pendingFrom(),
  };
}
