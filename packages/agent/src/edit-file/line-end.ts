/** Line end of a text file. */
export type LineEnd = "\r\n" | "\n";

/** A line end that is no CRLF. */
export const BARE_LINE_FEED: RegExp = /(?<!\r)\n/;

/** The line end a text uses most; LF for a text without any. */
export function lineEndOf(text: string): LineEnd {
  let [all, pairs] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all += 1;
    if (text[at - 1] === "\r") pairs += 1;
  }
  return pairs * 2 > all ? "\r\n" : "\n";
}

/** The text with all its line ends like this. */
export function withLineEnds(text: string, lineEnd: LineEnd): string {
  const unified = text.replaceAll("\r\n", "\n");
  return lineEnd === "\n" ? unified : unified.replaceAll("\n", "\r\n");
}
