import { foldLines } from "../text/fold-lines.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { wrapLine } from "../text/wrap-line.ts";

/** In front of each line that somebody else wrote, so that none of it can pose as the question. */
const BAR = "  │ ";
const TAB = "    ";
/** Everything without a look of its own, and what some terminals take for the end of a line. */
const UNSEEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;
const FOLD = { head: 30, tail: 30 };

/** A text of others as it may stand in a question: every character shows, and none moves the cursor. */
function plainText(text: string): string {
  return neutraliseControls(text).replaceAll("\t", TAB).replace(UNSEEN, "\ufffd");
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

/** A quoted text. */
export interface Quote {
  /** Its lines, each behind a bar. */
  readonly lines: readonly string[];
  /** Whether lines are left out in its middle. */
  readonly isFolded: boolean;
}

/** Quotes a text of others, beginning and end of a long one, or `whole`. */
export function quote(text: string, { columns, whole }: { readonly columns: number; readonly whole: boolean }): Quote {
  const lines = plainText(text)
    .split("\n")
    // Wrapped here: the terminal would put the rest of a long line where no bar is.
    .flatMap((line) => wrapLine(line, columns - BAR.length - 1));
  const shown = whole ? lines : foldLines(lines.join("\n"), FOLD);
  return { lines: shown.map((line) => `${BAR}${line}`), isFolded: shown.length < lines.length };
}
