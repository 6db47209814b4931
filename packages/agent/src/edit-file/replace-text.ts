import { EngineError } from "@switchyard/contracts";
import { assertUnique } from "./assert-unique.ts";
import { equivalentPositions } from "./equivalent-positions.ts";
import { findLines, type LineSpan } from "./find-lines.ts";
import { BARE_LINE_FEED, type LineEnd, lineEndOf, withLineEnds } from "./line-end.ts";
import { occurrences } from "./occurrences.ts";
import { toPlainPunctuation } from "./plain-punctuation.ts";
import type { Replacement } from "./replacement.ts";
import { transferEdit } from "./transfer-edit.ts";

/** Result of a text replacement. */
export interface ReplacedText {
  /** Complete text after the replacement. */
  readonly text: string;
  /** Number of replaced occurrences. */
  readonly count: number;
  /**
   * Difference that was tolerated when the old text was found in the file, such as `white space`. `undefined` if the
   * match was exact.
   */
  readonly tolerance?: string | undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

function spansOf(text: string, { oldText: wanted, newText, replaceAll }: Replacement): Span[] {
  return occurrences(text, wanted, replaceAll).map((start) => ({ start, end: start + wanted.length, newText }));
}

function equivalentSpans(text: string, { oldText, newText, replaceAll }: Replacement): Span[] {
  return equivalentPositions(text, oldText, replaceAll).map((position) => ({ ...position, newText }));
}

interface Match {
  readonly spans: readonly Span[];
  readonly tolerance?: string | undefined;
}

function toMatch(spans: readonly LineSpan[], tolerance: string): Match | undefined {
  return spans.length === 0 ? undefined : { spans, tolerance };
}

/** Returns the replacement with all line ends converted to `lineEnd`. */
function withEnds({ oldText, newText, replaceAll }: Replacement, lineEnd: LineEnd): Replacement {
  return { oldText: withLineEnds(oldText, lineEnd), newText: withLineEnds(newText, lineEnd), replaceAll };
}

/**
 * Returns whether a replacement changes only line ends. If so, its line ends must not be adapted to those of the file.
 */
function changesOnlyEnds({ oldText, newText }: Replacement): boolean {
  return withLineEnds(oldText, "\n") === withLineEnds(newText, "\n");
}

/** Finds the occurrences with the strictest comparison that matches. See loop: edit_file, §3.3. */
function findMatch(text: string, replacement: Replacement): Match | undefined {
  const { oldText } = replacement;
  const lineEnd = lineEndOf(text);
  const adapted = withEnds(replacement, lineEnd);
  // In a CRLF file, new lines get CRLF line ends.
  // Exceptions: edits that match an existing bare line feed, and edits that change only line ends.
  const takesEnds = lineEnd === "\r\n" && !BARE_LINE_FEED.test(oldText) && !changesOnlyEnds(replacement);
  const exact = spansOf(text, takesEnds ? { ...adapted, oldText } : replacement);
  if (exact.length > 0) return { spans: exact };
  for (const end of [lineEnd, lineEnd === "\n" ? "\r\n" : "\n"] as const) {
    const sameEnds = spansOf(text, withEnds(replacement, end));
    if (sameEnds.length > 0) return { spans: sameEnds };
  }
  return findTolerantly(text, replacement, lineEnd);
}

/**
 * Finds the occurrences with increasingly lenient comparisons. Parts that the edit does not change stay as in the file.
 */
function findTolerantly(text: string, replacement: Replacement, lineEnd: LineEnd): Match | undefined {
  const adapted = withEnds(replacement, lineEnd);
  const plainText = toPlainPunctuation(text);
  const plain = { ...adapted, oldText: toPlainPunctuation(adapted.oldText) };
  const search = { ...replacement, lineEnd };
  const transferred = (spans: readonly Span[]): Span[] =>
    spans.map((span) => {
      const found = text.slice(span.start, span.end);
      return { ...span, newText: transferEdit({ found, wanted: adapted.oldText, inserted: adapted.newText, lineEnd }) };
    });
  return (
    toMatch(transferred(spansOf(plainText, plain)), "typographic punctuation") ??
    toMatch(transferred(equivalentSpans(plainText, plain)), "how accented characters are composed") ??
    toMatch(findLines(text, { ...search, ignore: "trailing" }), "white space at the ends of lines") ??
    toMatch(findLines(text, { ...search, ignore: "all" }), "indentation and white space")
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
 * Replaces a text in a file's content. Everything else stays byte for byte. Throws `edit.text_not_found` if the text is
 * missing. Throws `edit.text_not_unique` if it occurs several times and `replaceAll` is false. See loop: edit_file,
 * §3.3.
 */
export function replaceText(text: string, replacement: Replacement, path: string): ReplacedText {
  const match = findMatch(text, replacement);
  if (match === undefined) throw new EngineError("edit.text_not_found", { path });
  const count = match.spans.length;
  assertUnique(count, replacement, path);
  return { text: splice(text, match.spans), count, tolerance: match.tolerance };
}
