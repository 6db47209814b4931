import type { OutputLimits } from "@switchyard/contracts";
import { type OutputLimitOverrides, outputLimitsOf } from "./output-limits.ts";
import { cutCharacters, joinCut, shortMarker } from "./truncate-characters.ts";
import { cutLines } from "./truncate-lines.ts";

/** Maximum length of a line marker, and therefore of further lines dropped to make room for it. */
const LINE_MARKER_CHARS = 48;

/** Truncates an output to its limits: first by characters, then by lines, including both markers. loop: §5.3. */
export function truncateOutput(output: string, limits: OutputLimits): string {
  const maxChars = limits.maxChars > 0 ? limits.maxChars : Number.POSITIVE_INFINITY;
  const maxLines = limits.maxLines ?? 0;
  if (maxLines <= 0 && output.length <= maxChars) return output;
  const cut = cutCharacters(output, maxChars, limits.mode);
  if (maxLines <= 0) return joinCut(cut);
  // If the omitted lines are shorter than the line marker, a few more must be dropped.
  for (let lines = maxLines; lines > 0 && lines >= maxLines - LINE_MARKER_CHARS; lines -= 1) {
    const text = cutLines(cut, { maxLines: lines, maxChars }, limits.mode);
    if (text.length <= maxChars) return text;
  }
  return shortMarker(maxChars);
}

/**
 * Returns a tool's output as the model sees it: truncated by characters, then by lines, to the tool's limits. loop:
 * truncate_tool_output, §5.3.
 */
export function truncateToolOutput(output: string, toolName: string, overrides: OutputLimitOverrides = {}): string {
  return truncateOutput(output, outputLimitsOf(toolName, overrides));
}
