import { EngineError } from "@switchyard/contracts";
import { createIndentation, type MatchedLine } from "../edit-file/indentation.ts";
import { lineEndOf } from "../edit-file/line-end.ts";
import { toNewLine } from "../edit-file/transfer-edit.ts";
import { transferLine } from "../edit-file/transfer-line.ts";
import type { Hunk, HunkLine } from "./patch.ts";
import { type LinedText, seekLines, toLinedText } from "./seek-lines.ts";
import { lineAt } from "./text-lines.ts";

interface Edit {
  /** Start of the replaced range. */
  readonly start: number;
  readonly end: number;
  /** Replacement text. */
  readonly text: string;
}

interface Placed {
  /** Position of the hunk's first line. */
  readonly at: number;
  readonly edits: readonly Edit[];
  /** Position after the hunk's last line. */
  readonly next: number;
}

function fail(path: string, number: number, problem: string): EngineError {
  return new EngineError("patch.context_not_found", { path, problem: `hunk ${number}: ${problem}` });
}

/** Position that a hunk's hints lead to. */
interface Hinted {
  /** Position of the line that the last hint names. */
  readonly at: number;
  /** Position after that line. */
  readonly behind: number;
}

/** Finds the hints one after another. Returns the first hint that is not found. loop: Appendix A, context_hint. */
function followHints(file: LinedText, hunk: Hunk, from: number): Hinted | string {
  let hinted: Hinted = { at: from, behind: from };
  for (const hint of hunk.hints) {
    const at = seekLines(file, [hint], { from: hinted.behind, isAtEnd: false });
    if (at === undefined) return hint;
    hinted = { at, behind: lineAt(file.text, at).next };
  }
  return hinted;
}

function without(lines: readonly HunkLine[], kind: HunkLine["kind"]): string[] {
  return lines.filter((line) => line.kind !== kind).map((line) => line.text);
}

/** Removes an empty last line of a hunk, because models often end hunks with one that is not in the file. */
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

/** Finds the lines of a hunk after its hints. Models also use the hunk's first line as a hint. */
function locate(file: LinedText, hunk: Hunk, { at, behind }: Hinted): Located | undefined {
  return locateFrom(file, hunk, behind) ?? (at === behind ? undefined : locateFrom(file, hunk, at));
}

/** Returns the position of added lines without context: after the hints, otherwise at the end of the file. */
function insertion(file: LinedText, { hints, lines, isAtEnd }: Hunk, { behind }: Hinted): Located {
  return { at: hints.length > 0 && !isAtEnd ? behind : file.text.length, lines };
}

/** Pairs the hunk's lines with those of the file. */
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
 * Returns the edits of a located hunk. Context lines keep every byte. An added line that replaces a removed one keeps
 * their common parts, and every added line gets the file's indentation.
 */
function editsOf(file: LinedText, located: Located, lineEnd: string): Placed {
  const matched = matchedLines(file, located);
  const isExact = matched.every(({ wanted, found }) => wanted === found);
  const indentation = createIndentation(matched);
  const edits: Edit[] = [];
  let position = located.at;
  let index = 0;
  // Removed lines that no added line has replaced yet.
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
    // A line added after a last line without a line end gives that line one.
    if (edit.text !== "" && edit.start > from && edit.start === text.length && !text.endsWith("\n"))
      parts.push(lineEnd);
    parts.push(edit.text);
    from = edit.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/**
 * Applies the hunks of a file in order. Unchanged lines keep every byte, and new lines get the file's line end. Throws
 * `patch.context_not_found` with the number of the hunk that is not found. loop: Appendix A.
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
  // Additions at the end of the file come after other hunks, whose own new lines may be at the same position.
  all.sort((left, right) => left.at - right.at);
  return join(
    text,
    all.flatMap(({ edits }) => edits),
    lineEnd,
  );
}
