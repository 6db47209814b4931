import { findSequence } from "../edit-file/find-sequence.ts";
import { toPlainPunctuation } from "../edit-file/plain-punctuation.ts";
import { seekExactly } from "./seek-exactly.ts";
import type { TextLine } from "./text-lines.ts";
import { linesOf } from "./text-lines.ts";

/** Text, split into lines once an exact search has failed. */
export interface LinedText {
  readonly text: string;
  readonly lines: readonly TextLine[];
}

/** Returns a text that is split into lines on first use. */
export function toLinedText(text: string): LinedText {
  let lines: readonly TextLine[] | undefined;
  return {
    text,
    get lines() {
      lines ??= linesOf(text);
      return lines;
    },
  };
}

/** Options for `seekLines`. */
export interface SeekOptions {
  /** Position of the first line to consider. */
  readonly from: number;
  /** Whether the match must be at the end of the text. */
  readonly isAtEnd: boolean;
}

/** Normalizations for comparing lines, from strict to lenient. loop: Appendix A, hunk matching. */
const WAYS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => toPlainPunctuation(line).normalize("NFKC").trim(),
];

const keysOfFiles = new WeakMap<LinedText, (readonly string[])[]>();

/** Returns the normalized lines of a file, cached for all hunks. */
function keysOf(file: LinedText, wayIndex: number): readonly string[] {
  const known = keysOfFiles.get(file) ?? [];
  keysOfFiles.set(file, known);
  const way = WAYS[wayIndex] ?? ((line: string): string => line);
  known[wayIndex] ??= file.lines.map((line) => way(file.text.slice(line.start, line.end)));
  return known[wayIndex];
}

/** Returns the index of the line at a position, or the number of lines at the end of the text. */
function indexAt({ lines }: LinedText, position: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the position of the first match: exact, then ignoring trailing white space, then all surrounding white space,
 * then with plain punctuation. loop: Appendix A, hunk matching.
 */
export function seekLines(file: LinedText, wanted: readonly string[], options: SeekOptions): number | undefined {
  if (wanted.length === 0) return options.isAtEnd ? file.text.length : options.from;
  if (!options.isAtEnd) {
    const exact = seekExactly(file.text, wanted, options.from);
    if (exact !== undefined) return exact;
  }
  const from = indexAt(file, options.from);
  const first = options.isAtEnd ? Math.max(from, file.lines.length - wanted.length) : from;
  for (const [index, way] of WAYS.entries()) {
    const found = findSequence(keysOf(file, index), wanted.map(way), first);
    if (found !== undefined) return file.lines[found]?.start;
  }
  return undefined;
}
