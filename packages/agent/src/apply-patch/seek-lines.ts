import { findSequence } from "../edit-file/find-sequence.ts";
import { toPlainPunctuation } from "../edit-file/plain-punctuation.ts";
import { seekExactly } from "./seek-exactly.ts";
import type { TextLine } from "./text-lines.ts";
import { linesOf } from "./text-lines.ts";

/**
 * A text and its lines. The text is split into lines on first access, which only happens after an exact search failed.
 */
export interface LinedText {
  readonly text: string;
  readonly lines: readonly TextLine[];
}

/** Creates a text that is split into lines on first access. */
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

/** Range of a line search. */
export interface SeekOptions {
  /** Offset of the first line where a match may start. */
  readonly from: number;
  /** True if the match must end at the end of the file. */
  readonly isAtEnd: boolean;
}

/** Normalizations for comparing lines, from strict to lenient. See loop: Appendix A, hunk matching. */
const WAYS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => toPlainPunctuation(line).normalize("NFKC").trim(),
];

const keysOfFiles = new WeakMap<LinedText, (readonly string[])[]>();

/**
 * Returns the file's lines, normalized for one of the increasingly lenient comparisons. The result is cached for all
 * hunks.
 */
function keysOf(file: LinedText, wayIndex: number): readonly string[] {
  const known = keysOfFiles.get(file) ?? [];
  keysOfFiles.set(file, known);
  const way = WAYS[wayIndex] ?? ((line: string): string => line);
  known[wayIndex] ??= file.lines.map((line) => way(file.text.slice(line.start, line.end)));
  return known[wayIndex];
}

/** Returns the index of the line that starts at an offset. For the end of the text, returns the number of lines. */
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
 * Finds consecutive lines and returns the offset of the first one. Tries increasingly lenient comparisons: exact,
 * without trailing white space, without surrounding white space, and with plain punctuation. See loop: Appendix A, hunk
 * matching.
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
