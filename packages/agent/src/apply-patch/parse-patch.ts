import { EngineError } from "@switchyard/contracts";
import type { Hunk, HunkLine, PatchOperation, UpdateFile } from "./patch.ts";

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const END_OF_FILE = "*** End of File";
const ADD = "*** Add File:";
const DELETE = "*** Delete File:";
const UPDATE = "*** Update File:";
const MOVE = "*** Move to:";

/**
 * Matches line ranges such as `-1,3 +1,4` of a unified diff. The v4a patch format has none, but models write them
 * anyway, so they are ignored.
 */
const POSITIONS = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/;

function malformed(line: number, problem: string): EngineError {
  return new EngineError("patch.malformed", { line, problem });
}

/** Cursor over the lines of a patch. */
class Lines {
  readonly #lines: readonly string[];
  readonly #offset: number;
  #at = 0;

  constructor(lines: readonly string[], offset: number) {
    this.#lines = lines;
    this.#offset = offset;
  }

  /** 1-based line number in the patch as the model wrote it. */
  get number(): number {
    return this.#offset + this.#at + 1;
  }

  peek(): string | undefined {
    return this.#lines[this.#at];
  }

  skip(): void {
    this.#at += 1;
  }

  skipBlank(): void {
    while (this.peek()?.trim() === "") this.skip();
  }
}

/** Strips a heredoc wrapper, because some models write the patch as a shell command. */
function withoutWrapper(lines: readonly string[]): { lines: readonly string[]; offset: number } {
  const start = /^(?:apply_?patch\s+)?<<-?\s*(['"]?)(\w+)\1\s*$/.exec(lines[0]?.trim() ?? "");
  const last = lines.at(-1)?.trim();
  if (start === null || lines.length < 3 || last !== start[2]) return { lines, offset: 0 };
  return { lines: lines.slice(1, -1), offset: 1 };
}

function body(text: string): Lines {
  const leading = /^\s*\n/.exec(text)?.[0].split("\n").length ?? 1;
  const { lines, offset } = withoutWrapper(text.trim().split(/\r?\n/));
  const firstNumber = offset + leading - 1;
  if (lines[0]?.trim() !== BEGIN) throw malformed(firstNumber + 1, `it must begin with "${BEGIN}"`);
  if (lines.length < 2 || lines.at(-1)?.trim() !== END) {
    throw malformed(firstNumber + lines.length, `it must end with "${END}"`);
  }
  return new Lines(lines.slice(1, -1), firstNumber + 1);
}

/**
 * Returns the path that follows a marker such as `*** Add File:`. `undefined` if the line does not start with the
 * marker.
 */
function pathAfter(line: string | undefined, marker: string): string | undefined {
  const trimmed = line?.trim();
  return trimmed?.startsWith(marker) === true ? trimmed.slice(marker.length).trim() : undefined;
}

function isHeader(line: string): boolean {
  return [ADD, DELETE, UPDATE].some((marker) => line.trim().startsWith(marker));
}

function parseAddedLines(lines: Lines): string[] {
  const added: string[] = [];
  for (let line = lines.peek(); line?.startsWith("+") === true; line = lines.peek()) {
    added.push(line.slice(1));
    lines.skip();
  }
  return added;
}

/** Returns the context hint of a line that starts with `@@`. `undefined` for all other lines. */
function hintOf(line: string): string | undefined {
  if (!/^@@(?:\s|$)/.test(line)) return undefined;
  const hint = line.slice(2).replace(/^ /, "");
  return hint.trim() === "" ? "" : hint.replace(POSITIONS, "").trimEnd();
}

function parseHints(lines: Lines): { hints: string[]; hasMark: boolean } {
  const hints: string[] = [];
  let hasMark = false;
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    const hint = hintOf(line);
    if (hint === undefined) break;
    hasMark = true;
    if (hint !== "") hints.push(hint);
    lines.skip();
  }
  return { hints, hasMark };
}

function parseHunkLine(line: string): HunkLine | undefined {
  // Models drop the leading space of an empty context line.
  if (line === "") return { kind: "context", text: "" };
  const text = line.slice(1);
  if (line.startsWith(" ")) return { kind: "context", text };
  if (line.startsWith("-")) return { kind: "remove", text };
  if (line.startsWith("+")) return { kind: "add", text };
  return undefined;
}

/** Returns whether a line ends the current hunk. A line that starts with white space always belongs to the hunk. */
function isEndOfHunk(line: string): boolean {
  return !/^\s/.test(line) && (line.startsWith("@@") || line.trimEnd() === END_OF_FILE || isHeader(line));
}

function parseHunkLines(lines: Lines): HunkLine[] {
  const parsed: HunkLine[] = [];
  let filled = 0;
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    const hunkLine = isEndOfHunk(line) ? undefined : parseHunkLine(line);
    if (hunkLine === undefined) break;
    parsed.push(hunkLine);
    if (line !== "") filled = parsed.length;
    lines.skip();
  }
  // Empty lines before the next hunk or operation are separators. Before the end-of-file marker they may be context.
  return lines.peek()?.trim() === END_OF_FILE ? parsed : parsed.slice(0, filled);
}

function parseHunk(lines: Lines, isFirst: boolean): Hunk {
  const start = lines.number;
  const { hints, hasMark } = parseHints(lines);
  if (!hasMark && !isFirst) throw malformed(start, `expected "@@" but found ${JSON.stringify(lines.peek())}`);
  const parsed = parseHunkLines(lines);
  const isAtEnd = lines.peek()?.trim() === END_OF_FILE;
  if (parsed.length === 0) {
    const found = lines.peek();
    const problem = "the hunk has no lines; each begins with a space, a minus or a plus";
    throw malformed(
      lines.number,
      found === undefined || isHeader(found) ? problem : `${problem}, not ${JSON.stringify(found)}`,
    );
  }
  if (isAtEnd) lines.skip();
  return { hints, lines: parsed, isAtEnd };
}

function parseUpdate(lines: Lines, path: string): UpdateFile {
  const start = lines.number;
  const moveTo = pathAfter(lines.peek(), MOVE);
  if (moveTo === "") throw malformed(start, "the new path is missing");
  if (moveTo !== undefined) lines.skip();
  const hunks: Hunk[] = [];
  lines.skipBlank();
  for (let line = lines.peek(); line !== undefined && !isHeader(line); line = lines.peek()) {
    hunks.push(parseHunk(lines, hunks.length === 0));
    lines.skipBlank();
  }
  if (hunks.length === 0 && moveTo === undefined) throw malformed(start, `the update of ${path} is empty`);
  return { type: "update", path, moveTo, hunks };
}

function parseOperation(lines: Lines): PatchOperation {
  const header = lines.peek() ?? "";
  const number = lines.number;
  const added = pathAfter(header, ADD);
  const deleted = pathAfter(header, DELETE);
  const updated = pathAfter(header, UPDATE);
  const path = added ?? deleted ?? updated;
  if (path === undefined) {
    throw malformed(number, `expected "${ADD}", "${DELETE}" or "${UPDATE}" but found ${JSON.stringify(header)}`);
  }
  if (path === "") throw malformed(number, "the path is missing");
  lines.skip();
  if (added !== undefined) return { type: "add", path, lines: parseAddedLines(lines) };
  return deleted !== undefined ? { type: "delete", path } : parseUpdate(lines, path);
}

/**
 * Parses a patch in the v4a format. Throws `patch.malformed` with the line number. Accepts common deviations of models:
 * a heredoc wrapper, white space around the markers, a first hunk without `@@`, and several `@@` lines in a row. See
 * loop: Appendix A.
 */
export function parsePatch(text: string): PatchOperation[] {
  const lines = body(text);
  const operations: PatchOperation[] = [];
  lines.skipBlank();
  while (lines.peek() !== undefined) {
    operations.push(parseOperation(lines));
    lines.skipBlank();
  }
  if (operations.length === 0) throw malformed(lines.number, "it changes no file");
  return operations;
}
