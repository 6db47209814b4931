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

function matchesAt(
  file: LinedText,
  keys: readonly string[],
  at: { index: number; way: (line: string) => string },
): boolean {
  return keys.every((key, offset) => {
    const line = file.lines[at.index + offset];
    return line !== undefined && at.way(file.text.slice(line.start, line.end)) === key;
  });
}

/**
 * Index of the first line at which the wanted lines stand, found as exactly as possible: exact, then without white
 * space at the ends, then without any round the lines, then with plain punctuation. loop: Appendix A, hunk matching.
 */
export function seekLines(file: LinedText, wanted: readonly string[], options: SeekOptions): number | undefined {
  const last = file.lines.length - wanted.length;
  const first = options.isAtEnd ? Math.max(options.from, last) : options.from;
  for (const way of WAYS) {
    const keys = wanted.map(way);
    for (let index = first; index <= last; index += 1) {
      if (matchesAt(file, keys, { index, way })) return index;
    }
  }
  return undefined;
}
