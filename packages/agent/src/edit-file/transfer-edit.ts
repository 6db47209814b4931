import { commonSequence } from "./common-sequence.ts";
import { createIndentation, indentOf, type MatchedLine } from "./indentation.ts";
import type { LineEnd } from "./line-end.ts";
import { transferLine } from "./transfer-line.ts";

/** A tolerant match: text of the file that stands for the wanted text. */
export interface TolerantMatch {
  /** The part of the file, line ends included. */
  readonly found: string;
  /** The text that was looked for. */
  readonly wanted: string;
  /** The text that replaces it. */
  readonly inserted: string;
  /** Line end of new lines. */
  readonly lineEnd: LineEnd;
}

interface FoundLine {
  readonly text: string;
  /** The line end, or the empty text behind the last line. */
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

/** The index of the matched line that each new line continues. `undefined`: the line is new. */
function originsOf(wanted: readonly string[], inserted: readonly string[]): (number | undefined)[] {
  const origins: (number | undefined)[] = inserted.map(() => undefined);
  let [left, right] = [0, 0];
  const pairUp = (leftEnd: number, rightEnd: number): void => {
    // As many lines on both sides: each is a changed form of the one beside it. Otherwise only the first ones are.
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
 * The text that replaces a tolerant match: lines and parts of lines that the edit does not change stay byte for byte as
 * the file has them, and new lines get the file's indentation and line ends.
 */
export function transferEdit({ found, wanted, inserted, lineEnd }: TolerantMatch): string {
  const [own, old, changed] = [foundLines(found), plainLines(wanted), plainLines(inserted)];
  // Without a line for each wanted one nothing is known about the lines that stay.
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

/** A new line with the file's indentation; blank lines stay as they are. */
export function toNewLine(line: string, indentation: (indent: string) => string): string {
  const indent = indentOf(line);
  return line.trim() === "" ? line : indentation(indent) + line.slice(indent.length);
}
