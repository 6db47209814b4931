import { foldLines } from "../text/fold-lines.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { wrapLine } from "../text/wrap-line.ts";

/** Prefix of each line of quoted text, so that untrusted text cannot imitate the question. */
const BAR = "  │ ";
const TAB = "    ";
/** Matches invisible characters, and characters that some terminals treat as line ends. */
const UNSEEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;
const FOLD = { head: 30, tail: 30 };

/** Returns untrusted text for a question: every character is visible, and none moves the cursor. */
function plainText(text: string): string {
  return neutraliseControls(text).replaceAll("\t", TAB).replace(UNSEEN, "\ufffd");
}

/** Returns untrusted text on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

/** Quoted text. */
export interface Quote {
  /** Lines of the quoted text, each with the prefix. */
  readonly lines: readonly string[];
  /** True if lines in the middle were left out. */
  readonly isFolded: boolean;
}

/**
 * Quotes untrusted text, wrapped to `columns`. Shortens a long text to its beginning and end unless `whole` is true.
 */
export function quote(text: string, { columns, whole }: { readonly columns: number; readonly whole: boolean }): Quote {
  const lines = plainText(text)
    .split("\n")
    // Wrapped here, because the terminal would wrap a long line without repeating the prefix.
    .flatMap((line) => wrapLine(line, columns - BAR.length - 1));
  const shown = whole ? lines : foldLines(lines.join("\n"), FOLD);
  return { lines: shown.map((line) => `${BAR}${line}`), isFolded: shown.length < lines.length };
}
