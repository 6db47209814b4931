import { REDACTED } from "../secret/secret.ts";
import { type ScannerSearch, ViewScanner } from "../views/view-scanner.ts";
import type { PatternAutomaton } from "./pattern-automaton.ts";
import { SpanList } from "./span-list.ts";

/** Masks a text that arrives in chunks. */
export interface MaskStream {
  /**
   * Adds a chunk and returns the masked text that can be shown now. Only text that could be the start of a secret is
   * held back.
   */
  write(chunk: string): string;
  /** Returns the text that was held back, masked. The stream can then be reused for another text. */
  end(): string;
}

/** Prepared data for finding secrets in a stream. */
export interface MaskPatterns {
  /** Automaton that finds secrets in plain text and common encodings. It works on UTF-16 units. */
  readonly exact: PatternAutomaton;
  /** Data for finding secrets in decoded or unescaped text. `undefined` if no secret is long enough. */
  readonly forms: ScannerSearch | undefined;
}

/** Creates a mask stream. Contract: the result does not depend on how a text is split into chunks. */
export function createMaskStream({ exact, forms }: MaskPatterns): MaskStream {
  // Positions are counted from the start of the text, in UTF-16 units.
  // `base` is the position of the first unit that has not been returned yet.
  let buffered = "";
  let base = 0;
  let state = 0;
  const spans = new SpanList();
  /** End position of each plain-text secret found in the last chunk, by its start position. */
  const known = new Map<number, number>();
  const report = (start: number, end: number): void => {
    // The scanner for encoded secrets may report a secret that has already been masked.
    if (end > base) spans.add(Math.max(start, base), end);
  };
  const scanner = forms === undefined ? undefined : new ViewScanner(forms, report);

  function take(limit: number): string {
    const output = spans.replace(buffered, { base, limit, marker: REDACTED });
    buffered = buffered.slice(limit - base);
    base = limit;
    return output;
  }

  return {
    write(chunk) {
      const first = base + buffered.length;
      buffered += chunk;
      known.clear();
      state = exact.scan(chunk, state, (index, length) => {
        const start = first + index + 1 - length;
        report(start, start + length);
        known.set(start, start + length);
      });
      scanner?.push(chunk, first, known);
      const end = first + chunk.length;
      // Text is held back from where a pattern may have started: the longest suffix that is a pattern's prefix.
      return take(Math.max(base, Math.min(end - exact.depth(state), scanner?.pendingFrom() ?? end)));
    },
    end() {
      state = 0;
      scanner?.end();
      return take(base + buffered.length);
    },
  };
}
