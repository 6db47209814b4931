import type { TruncationMode } from "@switchyard/contracts";
import { type CutText, headOf, joinCut, tailOf } from "./truncate-characters.ts";

function omission(count: number): string {
  return `[... ${count} lines omitted ...]`;
}

/** Truncates a list of lines according to the mode, and adds a line with the number of omitted lines. */
function cutList(lines: readonly string[], maxLines: number, mode: TruncationMode): string[] {
  if (lines.length <= maxLines) return [...lines];
  if (maxLines === 2 && mode === "head_tail") {
    return [`${lines[0] ?? ""} ${omission(lines.length - 2)}`, lines.at(-1) ?? ""];
  }
  const retained = Math.max(0, maxLines - 1);
  const head = mode === "head" ? retained : Math.floor(retained / 2);
  const tail = retained - head;
  const end = tail === 0 ? [] : lines.slice(-tail);
  return [...lines.slice(0, head), omission(lines.length - retained), ...end];
}

/**
 * Shortens a text in which a marker already replaces omitted characters. Removes lines on both sides of that marker,
 * and adds a second marker with the number of omitted lines.
 */
function cutRound(cut: CutText, maxLines: number): string {
  const head = cut.head.split("\n");
  const tail = cut.tail.split("\n");
  const retained = Math.max(0, maxLines - 2);
  const headLines = Math.min(head.length, Math.max(Math.floor(retained / 2), retained - tail.length));
  const tailLines = Math.min(tail.length, retained - headLines);
  const missing = head.length + tail.length - headLines - tailLines;
  const end = tailLines === 0 ? [] : tail.slice(-tailLines);
  return [...head.slice(0, headLines), omission(missing), cut.marker, ...end].join("\n");
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** With a limit of this many lines or fewer, there is no room for two marker lines. */
const FEW_LINES = 4;

interface Ends {
  readonly head: string;
  readonly tail: string;
  /** Number of omitted lines. */
  readonly missing: number;
}

/** Returns the first lines of the head and the last lines of the tail. Leaves room for one marker line between them. */
function endsOf({ head, tail }: CutText, maxLines: number): Ends {
  const [first, last] = [head.split("\n"), tail.split("\n")];
  const isOneSided = head === "" || tail === "";
  const headLines = head === "" ? 0 : isOneSided ? maxLines - 1 : 1;
  const tailLines = tail === "" ? 0 : isOneSided ? maxLines - 1 : Math.max(1, maxLines - 2);
  const [heads, tails] = [first.slice(0, headLines), tailLines === 0 ? [] : last.slice(-tailLines)];
  const missing = (head === "" ? 0 : first.length - heads.length) + (tail === "" ? 0 : last.length - tails.length);
  return { head: heads.join("\n"), tail: tails.join("\n"), missing };
}

/**
 * Joins the start and the end of a shortened text. Between them is one note about omitted characters and lines. If only
 * two lines are allowed, the note is on the same line as the start. Start and end are shortened if the note needs room.
 */
function cutToFew(cut: CutText, maxLines: number, maxChars: number): string {
  const { head, tail, missing } = endsOf(cut, maxLines);
  const note = missing === 0 ? cut.marker : `${cut.marker} ${omission(missing)}`;
  const before = head === "" ? "" : tail !== "" && maxLines === 2 ? " " : "\n";
  const after = tail === "" ? "" : "\n";
  const excess = head.length + tail.length + before.length + note.length + after.length - maxChars;
  if (excess <= 0) return head + before + note + after + tail;
  const fromHead = Math.min(head.length, tail === "" ? excess : Math.ceil(excess / 2));
  const fromTail = Math.min(tail.length, excess - fromHead);
  const [shortHead, shortTail] = [headOf(head, head.length - fromHead), tailOf(tail, tail.length - fromTail)];
  return shortHead + before + note + after + shortTail;
}

/** Limits for `cutLines`. */
export interface LineLimits {
  readonly maxLines: number;
  /** Maximum length of the result, in characters. Head and tail are shortened further if needed. */
  readonly maxChars: number;
}

/**
 * Truncates a text to at most `maxLines` lines, including markers. The text may already contain the marker
 * `cut.marker`, which states how many characters were omitted. The result preserves this marker, and the parts of the
 * text that the mode selects. See loop: truncate_lines, §5.3, decision 9.
 */
export function cutLines(cut: CutText, { maxLines, maxChars }: LineLimits, mode: TruncationMode): string {
  const text = joinCut(cut);
  if (countLines(text) <= maxLines) return text;
  if (cut.marker === "") return cutList(text.split("\n"), maxLines, mode).join("\n");
  if (maxLines < 2) return cut.marker;
  if (maxLines <= FEW_LINES) return cutToFew(cut, maxLines, maxChars);
  if (cut.head === "") return [cut.marker, ...cutList(cut.tail.split("\n"), maxLines - 1, mode)].join("\n");
  if (cut.tail === "") return [...cutList(cut.head.split("\n"), maxLines - 1, mode), cut.marker].join("\n");
  return cutRound(cut, maxLines);
}
