import { EngineError } from "@switchyard/contracts";
import { assertUnique } from "./assert-unique.ts";
import { findLines, type LineSpan } from "./find-lines.ts";
import { toPlainPunctuation } from "./plain-punctuation.ts";

/** What is to be replaced by what. */
export interface Replacement {
  /** Text to find. */
  readonly oldText: string;
  /** Text to put in its place, literally. */
  readonly newText: string;
  /** Whether every occurrence is replaced. */
  readonly replaceAll: boolean;
}

/** A text after a replacement. */
export interface ReplacedText {
  /** The whole text. */
  readonly text: string;
  /** How many occurrences were replaced. */
  readonly count: number;
  /** What had to be ignored to find them; nothing when the match was exact. */
  readonly tolerance?: string | undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The line end a text uses most. */
function lineEndOf(text: string): "\r\n" | "\n" {
  let [all, pairs] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all += 1;
    if (text[at - 1] === "\r") pairs += 1;
  }
  return pairs * 2 > all ? "\r\n" : "\n";
}

function withLineEnds(text: string, lineEnd: "\r\n" | "\n"): string {
  const unified = text.replaceAll("\r\n", "\n");
  return lineEnd === "\n" ? unified : unified.replaceAll("\n", "\r\n");
}

function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

function spansOf(text: string, wanted: string, newText: string): Span[] {
  return occurrences(text, wanted).map((start) => ({ start, end: start + wanted.length, newText }));
}

interface Match {
  readonly spans: readonly Span[];
  readonly tolerance?: string | undefined;
}

function lineMatch(spans: readonly LineSpan[], tolerance: string): Match | undefined {
  return spans.length === 0 ? undefined : { spans, tolerance };
}

/** The occurrences, found as exactly as possible: each further way ignores more. loop: edit_file, §3.3. */
function findMatch(text: string, { oldText, newText }: Replacement): Match | undefined {
  const lineEnd = lineEndOf(text);
  const inserted = withLineEnds(newText, lineEnd);
  // Whoever writes a line end that is in the file means it; without one, the new lines get the file's.
  const exact = spansOf(text, oldText, lineEnd === "\r\n" && !oldText.includes("\n") ? inserted : newText);
  if (exact.length > 0) return { spans: exact };
  const sameEnds = spansOf(text, withLineEnds(oldText, lineEnd), inserted);
  if (sameEnds.length > 0) return { spans: sameEnds };
  const plain = spansOf(toPlainPunctuation(text), toPlainPunctuation(withLineEnds(oldText, lineEnd)), inserted);
  if (plain.length > 0) return { spans: plain, tolerance: "typographic punctuation" };
  return (
    lineMatch(findLines(text, { oldText, newText, lineEnd, ignore: "trailing" }), "white space at the ends of lines") ??
    lineMatch(findLines(text, { oldText, newText, lineEnd, ignore: "all" }), "indentation and white space")
  );
}

function splice(text: string, spans: readonly Span[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, newText } of spans) {
    result += text.slice(from, start) + newText;
    from = end;
  }
  return result + text.slice(from);
}

/**
 * Replaces a text that must be there, and be unique unless all occurrences are meant. Everything else stays byte
 * for byte. Throws `edit.text_not_found` or `edit.text_not_unique` with the path. loop: edit_file, §3.3.
 */
export function replaceText(text: string, replacement: Replacement, path: string): ReplacedText {
  const match = findMatch(text, replacement);
  if (match === undefined) throw new EngineError("edit.text_not_found", { path });
  const count = match.spans.length;
  assertUnique(count, replacement, path);
  return { text: splice(text, match.spans), count, tolerance: match.tolerance };
}
