/** A word as a shell takes it. */
export function quoteWord(word: string): string {
  return /^[\w./~:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
