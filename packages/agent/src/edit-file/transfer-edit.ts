import { commonSequence } from "./common-sequence.ts";
import { createIndentation, indentOf, type MatchedLine } from "./indentation.ts";
import type { LineEnd } from "./line-end.ts";
import { transferLine } from "./transfer-line.ts";

/** A lenient match: text of the file that differs slightly from the text to find. */
export interface TolerantMatch {
  /** Matched text of the file, including line ends. */
  readonly found: string;
  /** Text that the edit searched for. */
  readonly wanted: string;
  /** Replacement text. */
  readonly inserted: string;
  /** Line end for new lines. */
  readonly lineEnd: LineEnd;
}

interface FoundLine {
  readonly text: string;
  /** Line end. Empty for the last line. */
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

/** Returns, for each new line, the index of the line that it replaces. `undefined` for an added line. */
function originsOf(wanted: readonly string[], inserted: readonly string[]): (number | undefined)[] {
  const origins: (number | undefined)[] = inserted.map(() => undefined);
  let [left, right] = [0, 0];
  const pairUp = (leftEnd: number, rightEnd: number): void => {
    // Changed lines are paired in order. If one side has more lines, the last ones have no counterpart.
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
 * Returns the replacement for a lenient match. Unchanged lines and parts of lines stay byte for byte as in the file.
 * New lines get the file's indentation and line ends.
 */
export function transferEdit({ found, wanted, inserted, lineEnd }: TolerantMatch): string {
  const [existing, old, changed] = [foundLines(found), plainLines(wanted), plainLines(inserted)];
  // If the numbers of lines differ, lines cannot be paired, so the new lines are inserted as they are.
  if (existing.length !== old.length) return changed.join(lineEnd);
  const matched: MatchedLine[] = old.map((line, index) => ({ wanted: line, found: existing[index]?.text ?? "" }));
  const indentation = createIndentation(matched);
  const origins = originsOf(old, changed);
  return changed
    .map((line, index) => {
      const origin = origins[index];
      const match = origin === undefined ? undefined : matched[origin];
      const isLast = index === changed.length - 1;
      const end = isLast ? "" : (origin !== undefined && existing[origin]?.end) || lineEnd;
      if (match === undefined) return toNewLine(line, indentation) + end;
      return (line === match.wanted ? match.found : transferLine(match, line, indentation)) + end;
    })
    .join("");
}

/** Converts the indentation of a new line to the file's style. Blank lines are not changed. */
export function toNewLine(line: string, indentation: (indent: string) => string): string {
  const indent = indentOf(line);
  return line.trim() === "" ? line : indentation(indent) + line.slice(indent.length);
}
