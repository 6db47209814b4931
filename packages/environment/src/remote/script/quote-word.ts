/** Variable of the scripts that holds a line end, which a request of one line cannot. */
export const NEWLINE_VARIABLE = "sy_nl";

/** A word that a POSIX shell reads as this text, on one line. Contract: the text has no NUL. */
export function quoteWord(text: string): string {
  const quoted = `'${text.replaceAll("'", "'\\''")}'`;
  return quoted.replaceAll("\n", `'"$${NEWLINE_VARIABLE}"'`);
}

/** Several words, quoted, with blanks between them. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}
