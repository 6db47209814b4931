import { Base64Reader } from "./base64-reader.ts";
import type { ByteSink } from "./byte-sink.ts";
import { DumpReader } from "./dump-reader.ts";
import { RAW_BYTE } from "./escape-reader.ts";
import { type Search, SecretFinder } from "./secret-finder.ts";
import { createTextReader } from "./text-reader.ts";

/** Encodings inside of encodings that are undone, besides any number of escapes. */
const MAX_DEPTH = 3;

/** Looks at a text itself: takes its code units. */
export interface View extends ByteSink {
  /** Goes on at a character that is not the first of its word. */
  resume(isInEncoding: boolean, isInWord: boolean): void;
}

/** Creates the view of a text: it finds secrets in it, and opens a view of whatever base64 or dump it contains. */
export function createView(search: Search): View {
  const open = (): ByteSink => createInnerView(search, 1);
  const [base64, dump] = [new Base64Reader(open), new DumpReader(open)];
  const reader = createTextReader({ symbols: [base64, dump], values: new SecretFinder(search) });
  return {
    push: (unit, start, end) => reader.push(unit, start, end),
    interrupt: () => reader.interrupt(),
    isIdle: () => reader.isIdle(),
    heldFrom: () => reader.heldFrom(),
    resume(isInEncoding, isInWord) {
      reader.interrupt();
      if (isInEncoding) base64.resume();
      if (isInWord) dump.resume();
    },
  };
}

function createInnerView(search: Search, depth: number): ByteSink {
  const open = (): ByteSink => createInnerView(search, depth + 1);
  const symbols = depth < MAX_DEPTH ? [new Base64Reader(open), new DumpReader(open, true)] : [];
  const reader = createTextReader({ symbols, values: new SecretFinder(search) });
  return {
    push: (byte, start, end) => reader.push(byte < 0x80 ? byte : RAW_BYTE + byte, start, end),
    interrupt: () => reader.interrupt(),
    isIdle: () => reader.isIdle(),
    heldFrom: () => reader.heldFrom(),
  };
}
