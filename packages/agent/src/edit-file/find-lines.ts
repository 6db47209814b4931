import { findSequence } from "./find-sequence.ts";
import type { LineEnd } from "./line-end.ts";
import { toPlainPunctuation } from "./plain-punctuation.ts";
import { transferEdit } from "./transfer-edit.ts";

/** What is looked for, line by line. */
export interface LineSearch {
  /** Text to find. */
  readonly oldText: string;
  /** Text to put in its place. */
  readonly newText: string;
  /** Whether every place is meant. */
  readonly replaceAll: boolean;
  /** Line end of the file. */
  readonly lineEnd: LineEnd;
  /** White space that does not count: at the ends of lines, or all of it. */
  readonly ignore: "trailing" | "all";
}

/** Whole lines of a text and what replaces them. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

interface Line {
  readonly start: number;
  /** Behind the last character, in front of the line end. */
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

/** The lines of a text without the empty one behind a final line end. */
function wantedLines(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** Whether the line end behind the found lines goes as well: it was asked for, and nothing new brings one. */
function takesLineEnd({ oldText, newText }: LineSearch): boolean {
  return oldText.endsWith("\n") && !newText.endsWith("\n");
}

/** Indexes at which the wanted keys stand. When one place is meant, a second one counts also where it shares lines with the first. */
function placesOf(keys: readonly string[], wanted: readonly string[], replaceAll: boolean): number[] {
  const places: number[] = [];
  const next = (from: number): number | undefined => findSequence(keys, wanted, from);
  for (let at = next(0); at !== undefined; at = next(at + wanted.length)) places.push(at);
  const [only] = places;
  if (replaceAll || only === undefined || places.length > 1) return places;
  const second = next(only + 1);
  return second === undefined ? places : [only, second];
}

/** Every place where whole lines of the text equal the wanted ones but for white space. loop: edit_file, §3.3. */
export function findLines(text: string, search: LineSearch): LineSpan[] {
  const wanted = wantedLines(search.oldText);
  const wantedKeys = wanted.map((line) => keyOf(line, search.ignore));
  if (wanted.every((line) => line.trim() === "")) return [];
  const lines = linesOf(text);
  const keys = lines.map((line) => keyOf(line.text, search.ignore));
  const [old, inserted] = [wanted.join("\n"), wantedLines(search.newText).join("\n")];
  return placesOf(keys, wantedKeys, search.replaceAll).map((at) => {
    const start = lines[at]?.start ?? 0;
    const last = lines[at + wanted.length - 1]?.end ?? text.length;
    const end = takesLineEnd(search) ? (lines[at + wanted.length]?.start ?? last) : last;
    const match = { found: text.slice(start, last), wanted: old, inserted, lineEnd: search.lineEnd };
    return { start, end, newText: inserted === "" ? "" : transferEdit(match) };
  });
}
