/** A range of a text, measured in UTF-16 units. */
export interface Span {
  /** Index of the first UTF-16 unit of the range. */
  readonly start: number;
  /** Index after the last UTF-16 unit of the range. */
  readonly end: number;
}

/** Replaces ranges of a text with a marker. Overlapping ranges are merged. */
export function replaceSpans(text: string, spans: readonly Span[], marker: string): string {
  if (spans.length === 0) return text;
  const sorted = spans.toSorted((left, right) => left.start - right.start || right.end - left.end);
  let output = "";
  let position = 0;
  let open: Span | undefined;
  for (const span of sorted) {
    if (open !== undefined && span.start < open.end) {
      open = { start: open.start, end: Math.max(open.end, span.end) };
      continue;
    }
    if (open !== undefined) {
      output += text.slice(position, open.start) + marker;
      position = open.end;
    }
    open = span;
  }
  if (open === undefined) return text;
  return output + text.slice(position, open.start) + marker + text.slice(open.end);
}
