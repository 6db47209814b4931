/** The first and the last lines of a long text, with the number of those left out in between. */
export function foldLines(text: string, keep: { head: number; tail: number }): string[] {
  const lines = text.replace(/\n+$/, "").split("\n");
  const hidden = lines.length - keep.head - keep.tail;
  // Folding a single line away would take as much room as showing it.
  if (hidden <= 1) return lines;
  return [...lines.slice(0, keep.head), `… ${hidden} more lines`, ...lines.slice(lines.length - keep.tail)];
}
