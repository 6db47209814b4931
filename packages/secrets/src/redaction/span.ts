/** A part of a text, in UTF-16 units. */
export interface Span {
  /** First unit. */
  readonly start: number;
  /** Unit after the last one. */
  readonly end: number;
}

/** Replaces parts of a text by a marker; parts that overlap are replaced together. */
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
