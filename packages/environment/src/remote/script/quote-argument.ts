/**
 * Name of a shell variable whose value is a line feed. A request is a single line, so it refers to this variable where
 * it needs a line feed.
 */
export const NEWLINE_VARIABLE = "sy_nl";

/** Quotes a text as one word of a POSIX shell, on one line. Contract: the text contains no NUL. */
export function quoteArgument(text: string): string {
  const quoted = `'${text.replaceAll("'", "'\\''")}'`;
  return quoted.replaceAll("\n", `'"$${NEWLINE_VARIABLE}"'`);
}

/** Quotes several words, separated by spaces. */
export function quoteArguments(args: readonly string[]): string {
  return args.map(quoteArgument).join(" ");
}
