import { bordersOf } from "../edit-file/find-sequence.ts";
import { lineAt } from "./text-lines.ts";

/** Looked for before lines are; a long text that repeats itself would take its length times this. */
const PROBE_CHARS = 64;

/**
 * Position of the first line, from a line on, at which the wanted lines stand as they are, whatever their line ends.
 * Takes time linear in both and no room for the lines of the text: files are large, and a hunk is small.
 */
export function seekExactly(text: string, wanted: readonly string[], from: number): number | undefined {
  const probe = (wanted[0] ?? "").slice(0, PROBE_CHARS);
  const borders = bordersOf(wanted);
  // Where the lines begin that match so far.
  const starts: number[] = [];
  for (let start = from; start < text.length; ) {
    if (starts.length === 0) {
      const at = text.indexOf(probe, start);
      if (at === -1) return undefined;
      if (at > start && text[at - 1] !== "\n") {
        start = lineAt(text, at).next;
        continue;
      }
      start = at;
    }
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
