import { findSequence } from "../edit-file/find-sequence.ts";
import { toPlainPunctuation } from "../edit-file/plain-punctuation.ts";
import type { TextLine } from "./text-lines.ts";

/** A text with its lines. */
export interface LinedText {
  readonly text: string;
  readonly lines: readonly TextLine[];
}

/** Where to look. */
export interface SeekOptions {
  /** Index of the first line that may be the beginning. */
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

/**
 * Index of the first line at which the wanted lines stand, found as exactly as possible: exact, then without white
 * space at the ends, then without any round the lines, then with plain punctuation. loop: Appendix A, hunk matching.
 */
export function seekLines(file: LinedText, wanted: readonly string[], options: SeekOptions): number | undefined {
  const last = file.lines.length - wanted.length;
  const first = options.isAtEnd ? Math.max(options.from, last) : options.from;
  for (const [index, way] of WAYS.entries()) {
    const found = findSequence(keysOf(file, index), wanted.map(way), first);
    if (found !== undefined) return found;
  }
  return undefined;
}
