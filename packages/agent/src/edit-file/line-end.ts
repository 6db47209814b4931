/** Line end of a text file. */
export type LineEnd = "\r\n" | "\n";

/** Matches a line feed without a carriage return before it. */
export const BARE_LINE_FEED: RegExp = /(?<!\r)\n/;

/** Returns the most frequent line end of a text. LF if the text has none. */
export function lineEndOf(text: string): LineEnd {
  let [all, pairs] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all += 1;
    if (text[at - 1] === "\r") pairs += 1;
  }
  return pairs * 2 > all ? "\r\n" : "\n";
}

/** Returns the text with all line ends converted to `lineEnd`. */
export function withLineEnds(text: string, lineEnd: LineEnd): string {
  const unified = text.replaceAll("\r\n", "\n");
  return lineEnd === "\n" ? unified : unified.replaceAll("\n", "\r\n");
}
