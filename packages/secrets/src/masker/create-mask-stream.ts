import { REDACTED } from "../secret/secret.ts";
import { type ScannerSearch, ViewScanner } from "../views/view-scanner.ts";
import type { PatternAutomaton } from "./pattern-automaton.ts";
import { SpanList } from "./span-list.ts";

/** Masks a text that arrives in pieces. */
export interface MaskStream {
  /** Takes a piece; gives what is safe to show by now. Holds back only what may be the beginning of a secret. */
  write(chunk: string): string;
  /** Gives what was held back; the stream can then be used for another text. */
  end(): string;
}

/** What a mask stream looks for. */
export interface MaskPatterns {
  /** Secrets as they are and in their usual encodings, over UTF-16 units. */
  readonly exact: PatternAutomaton;
  /** What views look for; `undefined` if no secret is long enough. */
  readonly forms: ScannerSearch | undefined;
}

/** Masks with automata. Contract: joined, the pieces of any cut of a text give what the whole text gives. */
export function createMaskStream({ exact, forms }: MaskPatterns): MaskStream {
  // Positions count from the beginning of the text; `base` is that of the first unit that is not decided.
  let held = "";
  let base = 0;
  let state = 0;
  const spans = new SpanList();
  /** End of each secret in the last piece that stands there as it is, by its start. */
  const known = new Map<number, number>();
  const report = (start: number, end: number): void => {
    // Views may find a secret again that has been masked.
    if (end > base) spans.add(Math.max(start, base), end);
  };
  const scanner = forms === undefined ? undefined : new ViewScanner(forms, report);

  function take(limit: number): string {
    const output = spans.replace(held, { base, limit, marker: REDACTED });
    held = held.slice(limit - base);
    base = limit;
    return output;
  }

  return {
    write(chunk) {
      const first = base + held.length;
      held += chunk;
      known.clear();
      state = exact.scan(chunk, state, (index, length) => {
        const start = first + index + 1 - length;
        report(start, start + length);
        known.set(start, start + length);
      });
      scanner?.push(chunk, first, known);
      const end = first + chunk.length;
      // A pattern still to come begins no earlier than the longest end that is a beginning of one.
      return take(Math.max(base, Math.min(end - exact.depth(state), scanner?.heldFrom() ?? end)));
    },
    end() {
      state = 0;
      scanner?.end();
      return take(base + held.length);
    },
  };
}
