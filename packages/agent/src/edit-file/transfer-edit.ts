import { commonSequence } from "./common-sequence.ts";
import { createIndentation, indentOf, type MatchedLine } from "./indentation.ts";
import type { LineEnd } from "./line-end.ts";
import { transferLine } from "./transfer-line.ts";

/** Tolerant match: the file's text that matched the wanted text. */
export interface TolerantMatch {
  /** Matched text of the file, including line ends. */
  readonly found: string;
  /** Text that was searched. */
  readonly wanted: string;
  /** Replacement. */
  readonly inserted: string;
  /** Line end of new lines. */
  readonly lineEnd: LineEnd;
}

interface FoundLine {
  readonly text: string;
  /** Line end. Empty after the last line. */
  readonly end: string;
}

function foundLines(text: string): FoundLine[] {
  return text.split("\n").map((line, index, { length }) => {
    if (index === length - 1) return { text: line, end: "" };
    return line.endsWith("\r") ? { text: line.slice(0, -1), end: "\r\n" } : { text: line, end: "\n" };
  });
}

function plainLines(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}

/** Returns the index of the matched line that each new line replaces. `undefined` for an added line. */
function originsOf(wanted: readonly string[], inserted: readonly string[]): (number | undefined)[] {
  const origins: (number | undefined)[] = inserted.map(() => undefined);
  let [left, right] = [0, 0];
  const pairUp = (leftEnd: number, rightEnd: number): void => {
    // With equally many lines on both sides, each replaces the one next to it. Otherwise, only the first ones do.
    const count = Math.min(leftEnd - left, rightEnd - right);
    for (let index = 0; index < count; index += 1) origins[right + index] = left + index;
  };
  for (const common of commonSequence(wanted, inserted)) {
    pairUp(common.left, common.right);
    origins[common.right] = common.left;
    [left, right] = [common.left + 1, common.right + 1];
  }
  pairUp(wanted.length, inserted.length);
  return origins;
}

/**
 * Returns the replacement for a tolerant match. Unchanged lines and parts of lines are kept byte for byte, and new
 * lines get the file's indentation and line ends.
 */
export function transferEdit({ found, wanted, inserted, lineEnd }: TolerantMatch): string {
  const [own, old, changed] = [foundLines(found), plainLines(wanted), plainLines(inserted)];
  // If the line counts differ, unchanged lines cannot be identified.
  if (own.length !== old.length) return changed.join(lineEnd);
  const matched: MatchedLine[] = old.map((line, index) => ({ wanted: line, found: own[index]?.text ?? "" }));
  const indentation = createIndentation(matched);
  const origins = originsOf(old, changed);
  return changed
    .map((line, index) => {
      const origin = origins[index];
      const match = origin === undefined ? undefined : matched[origin];
      const isLast = index === changed.length - 1;
      const end = isLast ? "" : (origin !== undefined && own[origin]?.end) || lineEnd;
      if (match === undefined) return toNewLine(line, indentation) + end;
      return (line === match.wanted ? match.found : transferLine(match, line, indentation)) + end;
    })
    .join("");
}

/** Converts a new line to the file's indentation. Blank lines are kept. */
export function toNewLine(line: string, indentation: (indent: string) => string): string {
  const indent = indentOf(line);
  return line.trim() === "" ? line : indentation(indent) + line.slice(indent.length);
}
