import type { OutputLimits } from "@switchyard/contracts";
import { type OutputLimitOverrides, outputLimitsOf } from "./output-limits.ts";
import { cutCharacters, joinCut, shortMarker } from "./truncate-characters.ts";
import { cutLines } from "./truncate-lines.ts";

/**
 * Maximum length of the marker that states how many lines were omitted, in characters. If the text with this marker
 * exceeds the limit of characters, at most this number of further lines is omitted. Each omitted line saves at least
 * one character, so they make enough room for the marker.
 */
const LINE_MARKER_CHARS = 48;

/**
 * Truncates an output to its limits, first by characters and then by lines. The limits include the markers. See loop:
 * §5.3.
 */
export function truncateOutput(output: string, limits: OutputLimits): string {
  const maxChars = limits.maxChars > 0 ? limits.maxChars : Number.POSITIVE_INFINITY;
  const maxLines = limits.maxLines ?? 0;
  if (maxLines <= 0 && output.length <= maxChars) return output;
  const cut = cutCharacters(output, maxChars, limits.mode);
  if (maxLines <= 0) return joinCut(cut);
  // The line marker may be longer than the omitted lines, so more lines may have to be dropped.
  for (let lines = maxLines; lines > 0 && lines >= maxLines - LINE_MARKER_CHARS; lines -= 1) {
    const text = cutLines(cut, { maxLines: lines, maxChars }, limits.mode);
    if (text.length <= maxChars) return text;
  }
  return shortMarker(maxChars);
}

/**
 * Truncates a tool's output for the model to the tool's limits: first by characters, then by lines. See loop:
 * truncate_tool_output, §5.3.
 */
export function truncateToolOutput(output: string, toolName: string, overrides: OutputLimitOverrides = {}): string {
  return truncateOutput(output, outputLimitsOf(toolName, overrides));
}
