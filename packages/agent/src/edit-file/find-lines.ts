import { findSequence } from "./find-sequence.ts";
import type { LineEnd } from "./line-end.ts";
import { toPlainPunctuation } from "./plain-punctuation.ts";
import { transferEdit } from "./transfer-edit.ts";

/** Options for a line-based search. */
export interface LineSearch {
  /** Text to find. */
  readonly oldText: string;
  /** Replacement text. */
  readonly newText: string;
  /** True to find all occurrences. */
  readonly replaceAll: boolean;
  /** Line end of the file. */
  readonly lineEnd: LineEnd;
  /** White space to ignore: `trailing` at the ends of lines, or `all`. */
  readonly ignore: "trailing" | "all";
}

/** Range of complete lines and their replacement. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

interface Line {
  readonly start: number;
  /** Offset after the line's last character, before its line end. */
  readonly end: number;
  readonly text: string;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const stop = newline === -1 ? text.length : newline;
    const end = stop > start && text[stop - 1] === "\r" ? stop - 1 : stop;
    lines.push({ start, end, text: text.slice(start, end) });
    if (newline === -1) break;
    start = newline + 1;
  }
  return lines;
}

function keyOf(line: string, ignore: LineSearch["ignore"]): string {
  const plain = toPlainPunctuation(line).normalize("NFC");
  return ignore === "trailing" ? plain.trimEnd() : plain.trim().replace(/\s+/g, " ");
}

/** Splits a text into lines, without the empty line after a final line end. */
function wantedLines(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Returns whether the replacement removes the line end after the match. This is the case if the old text ends with a
 * line end and the new text does not.
 */
function takesLineEnd({ oldText, newText }: LineSearch): boolean {
  return oldText.endsWith("\n") && !newText.endsWith("\n");
}

/**
 * Returns the indexes at which the lines to find occur. `keys` and `wanted` are the normalised lines of the file and of
 * the search. Unless `replaceAll` is set, a second match may overlap the first.
 */
function positionsOf(keys: readonly string[], wanted: readonly string[], replaceAll: boolean): number[] {
  const positions: number[] = [];
  const next = (from: number): number | undefined => findSequence(keys, wanted, from);
  for (let at = next(0); at !== undefined; at = next(at + wanted.length)) positions.push(at);
  const [only] = positions;
  if (replaceAll || only === undefined || positions.length > 1) return positions;
  const second = next(only + 1);
  return second === undefined ? positions : [only, second];
}

/** Finds all sequences of lines that equal the lines to find, except for white space. See loop: edit_file, §3.3. */
export function findLines(text: string, search: LineSearch): LineSpan[] {
  const wanted = wantedLines(search.oldText);
  const wantedKeys = wanted.map((line) => keyOf(line, search.ignore));
  if (wanted.every((line) => line.trim() === "")) return [];
  const lines = linesOf(text);
  const keys = lines.map((line) => keyOf(line.text, search.ignore));
  const [old, inserted] = [wanted.join("\n"), wantedLines(search.newText).join("\n")];
  return positionsOf(keys, wantedKeys, search.replaceAll).map((at) => {
    const start = lines[at]?.start ?? 0;
    const last = lines[at + wanted.length - 1]?.end ?? text.length;
    const end = takesLineEnd(search) ? (lines[at + wanted.length]?.start ?? last) : last;
    const match = { found: text.slice(start, last), wanted: old, inserted, lineEnd: search.lineEnd };
    return { start, end, newText: inserted === "" ? "" : transferEdit(match) };
  });
}
