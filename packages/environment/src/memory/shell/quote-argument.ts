/** Quotes a text as one word of a POSIX shell. */
export function quoteArgument(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
