import { displayWidth } from "../text/display-width.ts";
import { wrapLine } from "../text/wrap-line.ts";

/** Function that adds a colour or an attribute, such as bold, to a text. */
export type Style = (text: string) => string;

/** Part of a text with one style. */
export interface Span {
  /** Text without escape sequences. May contain line breaks. */
  readonly text: string;
  /** Style of the text. */
  readonly style: Style;
}

/** Style of text without colours and attributes. */
export const PLAIN: Style = (text) => text;

/** Returns a text without its styles. */
export function textOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join("");
}

/** Returns the width of the widest line of a text, in columns. */
export function widthOf(spans: readonly Span[]): number {
  return Math.max(
    ...textOf(spans)
      .split("\n")
      .map((line) => displayWidth(line)),
  );
}

/** Renders one line. Each span ends its style, so that lines can be printed independently. */
export function renderSpans(line: readonly Span[]): string {
  return line.map(({ text, style }) => style(text)).join("");
}

/** Wraps a text to a number of columns, at spaces if possible. Line breaks in the text are preserved. */
export function wrapSpans(spans: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [];
  let begin = 0;
  for (const line of textOf(spans).split("\n")) {
    let at = 0;
    for (const part of wrapLine(line, columns, 1)) {
      // The space at which the line was wrapped belongs to neither part.
      if (at > 0 && line[at] === " ") at += 1;
      lines.push(sliceSpans(spans, begin + at, begin + at + part.length));
      at += part.length;
    }
    begin += line.length + 1;
  }
  return lines;
}

function sliceSpans(spans: readonly Span[], start: number, end: number): Span[] {
  const slice: Span[] = [];
  let at = 0;
  for (const { text, style } of spans) {
    const part = text.slice(Math.max(start - at, 0), Math.max(end - at, 0));
    if (part !== "") slice.push({ text: part, style });
    at += text.length;
  }
  return slice;
}
