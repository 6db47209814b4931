import { bordersOf } from "../edit-file/find-sequence.ts";
import { lineAt } from "./text-lines.ts";

/**
 * Position of the first line, from a line on, at which the wanted lines stand as they are, whatever their line ends.
 * Takes time linear in both and no room for the lines of the text: files are large, and a hunk is small.
 */
export function seekExactly(text: string, wanted: readonly string[], from: number): number | undefined {
  const borders = bordersOf(wanted);
  // Where the lines begin that match so far.
  const starts: number[] = [];
  for (let start = from; start < text.length; ) {
    const { end, next } = lineAt(text, start);
    const equals = (line: string | undefined): boolean => line?.length === end - start && text.startsWith(line, start);
    while (starts.length > 0 && !equals(wanted[starts.length])) {
      starts.splice(0, starts.length - (borders[starts.length - 1] ?? 0));
    }
    if (equals(wanted[starts.length])) starts.push(start);
    if (starts.length === wanted.length) return starts[0];
    start = next;
  }
  return undefined;
}
