import { EngineError } from "@switchyard/contracts";
import { createIndentation, type MatchedLine } from "../edit-file/indentation.ts";
import { lineEndOf } from "../edit-file/line-end.ts";
import { toNewLine } from "../edit-file/transfer-edit.ts";
import { transferLine } from "../edit-file/transfer-line.ts";
import type { Hunk, HunkLine } from "./patch.ts";
import { type LinedText, seekLines, toLinedText } from "./seek-lines.ts";
import { lineAt } from "./text-lines.ts";

interface Edit {
  /** Start and end offset of the replaced text. */
  readonly start: number;
  readonly end: number;
  /** Replacement text. */
  readonly text: string;
}

interface Placed {
  /** Offset in the file of the hunk's first line. */
  readonly at: number;
  readonly edits: readonly Edit[];
  /** Offset in the file of the line after the hunk. */
  readonly next: number;
}

function fail(path: string, number: number, problem: string): EngineError {
  return new EngineError("patch.context_not_found", { path, problem: `hunk ${number}: ${problem}` });
}

/** Location in the file that matches the context hints of a hunk. */
interface Hinted {
  /** Offset of the file's line that matches the hunk's last context hint. */
  readonly at: number;
  /** Offset after the line that matches the last context hint. */
  readonly after: number;
}

/**
 * Finds the file's lines that match the context hints of a hunk. Each hint is searched for after the line of the
 * previous one. Returns the first hint that is not in the file. See loop: Appendix A, context_hint.
 */
function followHints(file: LinedText, hunk: Hunk, from: number): Hinted | string {
  let hinted: Hinted = { at: from, after: from };
  for (const hint of hunk.hints) {
    const at = seekLines(file, [hint], { from: hinted.after, isAtEnd: false });
    if (at === undefined) return hint;
    hinted = { at, after: lineAt(file.text, at).next };
  }
  return hinted;
}

function without(lines: readonly HunkLine[], kind: HunkLine["kind"]): string[] {
  return lines.filter((line) => line.kind !== kind).map((line) => line.text);
}

/** Returns a hunk's lines without its last empty line, which models often add although it is not in the file. */
function withoutLastBlank(lines: readonly HunkLine[]): readonly HunkLine[] | undefined {
  const last = lines.findLastIndex((line) => line.kind !== "add");
  const rest = lines.filter((_, index) => index !== last);
  return lines[last]?.text === "" && rest.length > 0 ? rest : undefined;
}

interface Located {
  readonly at: number;
  readonly lines: readonly HunkLine[];
}

function locateFrom(file: LinedText, hunk: Hunk, from: number): Located | undefined {
  const options = { from, isAtEnd: hunk.isAtEnd };
  for (const lines of [hunk.lines, withoutLastBlank(hunk.lines)]) {
    if (lines === undefined) continue;
    const at = seekLines(file, without(lines, "add"), options);
    if (at !== undefined) return { at, lines };
  }
  return undefined;
}

/**
 * Finds a hunk's lines in the file after the line of its last context hint. If they are not found, the search includes
 * the hint's line, because models often repeat the hint as the hunk's first line.
 */
function locate(file: LinedText, hunk: Hunk, { at, after }: Hinted): Located | undefined {
  return locateFrom(file, hunk, after) ?? (at === after ? undefined : locateFrom(file, hunk, at));
}

/**
 * Returns the offset at which to insert the lines of a hunk that contains only added lines: after its context hints, or
 * at the end of the file if it has no hints.
 */
function insertion(file: LinedText, { hints, lines, isAtEnd }: Hunk, { after }: Hinted): Located {
  return { at: hints.length > 0 && !isAtEnd ? after : file.text.length, lines };
}

/** Pairs each context line and removed line of a hunk with the line of the file that it matches. */
function matchedLines(file: LinedText, { at, lines }: Located): MatchedLine[] {
  const matched: MatchedLine[] = [];
  let position = at;
  for (const { kind, text } of lines) {
    if (kind === "add") continue;
    const { start, end, next } = lineAt(file.text, position);
    matched.push({ wanted: text, found: file.text.slice(start, end) });
    position = next;
  }
  return matched;
}

/**
 * Returns the edits for a hunk that was found in the file. Unchanged lines of the file stay byte for byte. If an added
 * line replaces a removed line, the parts that did not change are copied from the file's line. Every added line gets
 * the file's indentation.
 */
function editsOf(file: LinedText, located: Located, lineEnd: string): Placed {
  const matched = matchedLines(file, located);
  const isExact = matched.every(({ wanted, found }) => wanted === found);
  const indentation = createIndentation(matched);
  const edits: Edit[] = [];
  let position = located.at;
  let index = 0;
  // Queue of removed lines that are not yet paired with an added line.
  let removed: MatchedLine[] = [];
  for (const { kind, text } of located.lines) {
    if (kind === "add") {
      const match = isExact ? undefined : removed.shift();
      const line = match === undefined ? toNewLine(text, indentation) : transferLine(match, text, indentation);
      edits.push({ start: position, end: position, text: (isExact ? text : line) + lineEnd });
      continue;
    }
    const { next } = lineAt(file.text, position);
    const match = matched[index];
    index += 1;
    if (kind === "context") removed = [];
    else if (match !== undefined) removed.push(match);
    if (kind === "remove") edits.push({ start: position, end: next, text: "" });
    position = next;
  }
  return { at: located.at, edits, next: position };
}

function join(text: string, edits: readonly Edit[], lineEnd: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start));
    // The file's last line has no line end, so it needs one before a line can follow it.
    if (edit.text !== "" && edit.start > from && edit.start === text.length && !text.endsWith("\n"))
      parts.push(lineEnd);
    parts.push(edit.text);
    from = edit.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/**
 * Applies the hunks of one file in order. Unchanged lines stay byte for byte, and new lines get the file's line end.
 * Throws `patch.context_not_found` with the number of the hunk that was not found. See loop: Appendix A.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], path: string): string {
  const file = toLinedText(text);
  const lineEnd = lineEndOf(text);
  const all: Placed[] = [];
  let from = 0;
  hunks.forEach((hunk, index) => {
    const hinted = followHints(file, hunk, from);
    if (typeof hinted === "string") throw fail(path, index + 1, `the line ${JSON.stringify(hinted)} was not found`);
    const isPureAddition = hunk.lines.every((line) => line.kind === "add");
    const located = isPureAddition ? insertion(file, hunk, hinted) : locate(file, hunk, hinted);
    if (located === undefined) {
      throw fail(path, index + 1, `these lines were not found:\n${without(hunk.lines, "add").join("\n")}`);
    }
    const placed = editsOf(file, located, lineEnd);
    all.push(placed);
    from = isPureAddition && hunk.hints.length === 0 ? from : placed.next;
  });
  // Additions at the end of the file may come before other hunks in the patch, so the edits are sorted by offset.
  all.sort((left, right) => left.at - right.at);
  return join(
    text,
    all.flatMap(({ edits }) => edits),
    lineEnd,
  );
}
