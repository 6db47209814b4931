import type { TruncationMode } from "@switchyard/contracts";

/** Parts of a truncated output. If `marker` is empty, nothing was removed. */
export interface CutText {
  /** Remaining text before the marker. */
  readonly head: string;
  /** Note about the truncation, without surrounding blank lines. */
  readonly marker: string;
  /** Remaining text after the marker. */
  readonly tail: string;
}

/** Marker for limits that leave no room for the full marker. */
const SHORT_MARKER = "[truncated]";

/** Returns the truncated text for a limit that only leaves room for (part of) the marker. */
export function shortMarker(maxChars: number): string {
  return SHORT_MARKER.slice(0, Math.max(0, maxChars));
}

function markerOf(mode: TruncationMode, removed: number): string {
  const start = "[WARNING: Tool output was truncated. ";
  const full = "The full output is available in the event stream.";
  switch (mode) {
    case "head_tail":
      return `${start}${removed} characters were removed from the middle. ${full} If you need to see specific parts, re-run the tool with more targeted parameters.]`;
    case "tail":
      return `${start}First ${removed} characters were removed. ${full}]`;
    case "head":
      return `${start}Last ${removed} characters were removed. ${full}]`;
  }
}

/** Returns a shorter marker, for limits at which the full one would leave no text. */
function briefMarkerOf(_: TruncationMode, removed: number): string {
  return `[WARNING: Tool output was truncated. ${removed} characters were removed.]`;
}

/** Number of line feeds around the marker. */
const SPACING: Readonly<Record<TruncationMode, number>> = { head_tail: 4, tail: 2, head: 2 };

/** Returns the first characters of a text, without splitting a surrogate pair. */
export function headOf(text: string, length: number): string {
  const last = length > 0 ? text.charCodeAt(length - 1) : 0;
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Returns the last characters of a text, without splitting a surrogate pair. */
export function tailOf(text: string, length: number): string {
  const start = text.length - length;
  const first = length > 0 ? text.charCodeAt(start) : 0;
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

function split(text: string, retained: number, mode: TruncationMode): { head: string; tail: string } {
  if (mode === "head") return { head: headOf(text, retained), tail: "" };
  if (mode === "tail") return { head: "", tail: tailOf(text, retained) };
  const half = Math.floor(retained / 2);
  return { head: headOf(text, half), tail: tailOf(text, retained - half) };
}

/** Joins the parts, with blank lines around the marker. */
export function joinCut({ head, marker, tail }: CutText): string {
  if (marker === "") return head + tail;
  return `${head === "" ? "" : `${head}\n\n`}${marker}${tail === "" ? "" : `\n\n${tail}`}`;
}

/**
 * Truncates a text to at most `maxChars` characters, including the marker, without splitting a surrogate pair. See
 * loop: truncate_output, §5.1, decision 9.
 */
export function cutCharacters(text: string, maxChars: number, mode: TruncationMode): CutText {
  if (text.length <= maxChars) return { head: text, marker: "", tail: "" };
  for (const describe of [markerOf, briefMarkerOf]) {
    // The marker contains the number of removed characters. Its length is calculated for the largest possible number.
    const retained = maxChars - describe(mode, text.length).length - SPACING[mode];
    if (retained <= 0) continue;
    const { head, tail } = split(text, retained, mode);
    return { head, marker: describe(mode, text.length - head.length - tail.length), tail };
  }
  return { head: "", marker: shortMarker(maxChars), tail: "" };
}
