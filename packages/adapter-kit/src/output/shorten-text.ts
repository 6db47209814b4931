/** Maximum number of code points of a notification or of a line that could not be parsed. See agent-adapter: events. */
export const MAX_NOTICE_CHARS = 500;

/**
 * Truncates a text to a number of code points, with an ellipsis at the end; no character is split. See agent-adapter:
 * TruncateRunes.
 */
export function shortenText(text: string, maxChars: number): string {
  // A code point has at least one UTF-16 unit, so a text with fewer units than the limit always fits.
  if (text.length <= maxChars) return text;
  const points = [...text.slice(0, (maxChars + 1) * 2)];
  return points.length <= maxChars ? text : `${points.slice(0, Math.max(0, maxChars - 1)).join("")}…`;
}

/** Shortens a text to its beginning and end if the text has more UTF-16 code units than the limit. */
export function truncateMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/u, "");
  const tail = text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/u, "");
  return `${head}\n… (${text.length - head.length - tail.length} characters left out) …\n${tail}`;
}
