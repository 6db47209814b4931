import type { OutputLimits } from "@switchyard/contracts";
import { type OutputLimitOverrides, outputLimitsOf } from "./output-limits.ts";
import { cutCharacters, joinCut, shortMarker } from "./truncate-characters.ts";
import { cutLines } from "./truncate-lines.ts";

/** Most characters a line marker can add; so many further lines are dropped at most to make room for it. */
const LINE_MARKER_CHARS = 48;

/** Cuts an output to limits: characters first, then lines, both markers included. loop: §5.3. */
export function truncateOutput(output: string, limits: OutputLimits): string {
  const maxChars = limits.maxChars > 0 ? limits.maxChars : Number.POSITIVE_INFINITY;
  const maxLines = limits.maxLines ?? 0;
  if (maxLines <= 0 && output.length <= maxChars) return output;
  const cut = cutCharacters(output, maxChars, limits.mode);
  if (maxLines <= 0) return joinCut(cut);
  // The line marker is longer than the lines it replaces when those are short: then a few more have to go.
  for (let lines = maxLines; lines > 0 && lines >= maxLines - LINE_MARKER_CHARS; lines -= 1) {
    const text = cutLines(cut, { maxLines: lines, maxChars }, limits.mode);
    if (text.length <= maxChars) return text;
  }
  return shortMarker(maxChars);
}

/**
 * What the model sees of a tool's output: cut by characters, then by lines, to the limits of that tool.
 * loop: truncate_tool_output, §5.3.
 */
export function truncateToolOutput(output: string, toolName: string, overrides: OutputLimitOverrides = {}): string {
  return truncateOutput(output, outputLimitsOf(toolName, overrides));
}
