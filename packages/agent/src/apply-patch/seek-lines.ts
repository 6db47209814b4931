import { findSequence } from "../edit-file/find-sequence.ts";
import { toPlainPunctuation } from "../edit-file/plain-punctuation.ts";
import { seekExactly } from "./seek-exactly.ts";
import type { TextLine } from "./text-lines.ts";
import { linesOf } from "./text-lines.ts";

/** A text and, once something is not found in it as it is, its lines. */
export interface LinedText {
  readonly text: string;
  readonly lines: readonly TextLine[];
}

/** A text whose lines are taken apart when they are first asked for. */
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

/** Where to look. */
export interface SeekOptions {
  /** Position of the first line that may be the beginning. */
  readonly from: number;
  /** Whether the lines must be the last ones. */
  readonly isAtEnd: boolean;
}

/** Ways to compare lines, each ignoring more than the one before. loop: Appendix A, hunk matching. */
const WAYS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => toPlainPunctuation(line).normalize("NFKC").trim(),
];

const keysOfFiles = new WeakMap<LinedText, (readonly string[])[]>();

/** The lines of a file as a way compares them; made once for all hunks. */
function keysOf(file: LinedText, wayIndex: number): readonly string[] {
  const known = keysOfFiles.get(file) ?? [];
  keysOfFiles.set(file, known);
  const way = WAYS[wayIndex] ?? ((line: string): string => line);
  known[wayIndex] ??= file.lines.map((line) => way(file.text.slice(line.start, line.end)));
  return known[wayIndex];
}

/** Index of the line that begins at a position; the number of lines at the end of the text. */
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
 * Position of the first line at which the wanted lines stand, found as exactly as possible: exact, then without white
 * space at the ends, then without any round the lines, then with plain punctuation. loop: Appendix A, hunk matching.
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
