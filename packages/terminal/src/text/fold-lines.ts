/** Shortens a long text to its first and last lines, with the number of omitted lines between them. */
export function foldLines(text: string, keep: { head: number; tail: number }): string[] {
  const lines = text.replace(/\n+$/, "").split("\n");
  const hidden = lines.length - keep.head - keep.tail;
  // A single line is not omitted, because the line that reports the omission would need the same space.
  if (hidden <= 1) return lines;
  return [...lines.slice(0, keep.head), `… ${hidden} more lines`, ...lines.slice(lines.length - keep.tail)];
}
