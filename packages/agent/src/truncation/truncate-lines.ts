import type { TruncationMode } from "@switchyard/contracts";
import { type CutText, joinCut } from "./truncate-characters.ts";

function omission(count: number): string {
  return `[... ${count} lines omitted ...]`;
}

/** The first and the last lines of a list, with one line between them that says how many are missing. */
function cutList(lines: readonly string[], maxLines: number, mode: TruncationMode): string[] {
  if (lines.length <= maxLines) return [...lines];
  const keep = Math.max(0, maxLines - 1);
  const head = mode === "head" ? keep : Math.floor(keep / 2);
  const tail = keep - head;
  const end = tail === 0 ? [] : lines.slice(-tail);
  return [...lines.slice(0, head), omission(lines.length - keep), ...end];
}

/** Head lines, omission, character marker and tail lines of a text that was cut in the middle. */
function cutRound(cut: CutText, maxLines: number): string {
  const head = cut.head.split("\n");
  const tail = cut.tail.split("\n");
  const keep = Math.max(0, maxLines - 2);
  const keptHead = Math.min(head.length, Math.max(Math.floor(keep / 2), keep - tail.length));
  const keptTail = Math.min(tail.length, keep - keptHead);
  const missing = head.length + tail.length - keptHead - keptTail;
  const end = keptTail === 0 ? [] : tail.slice(-keptTail);
  return [...head.slice(0, keptHead), omission(missing), cut.marker, ...end].join("\n");
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/**
 * Cuts a text to at most `maxLines` lines, markers included; the marker of the cut by characters stays.
 * loop: truncate_lines, §5.3, decision 9.
 */
export function cutLines(cut: CutText, maxLines: number, mode: TruncationMode): string {
  const text = joinCut(cut);
  if (countLines(text) <= maxLines) return text;
  if (cut.marker === "") return cutList(text.split("\n"), maxLines, mode).join("\n");
  if (maxLines < 3) return cut.marker;
  if (cut.head === "") return [cut.marker, ...cutList(cut.tail.split("\n"), maxLines - 1, mode)].join("\n");
  if (cut.tail === "") return [...cutList(cut.head.split("\n"), maxLines - 1, mode), cut.marker].join("\n");
  return cutRound(cut, maxLines);
}
