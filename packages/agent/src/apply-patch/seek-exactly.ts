import { bordersOf } from "../edit-file/find-sequence.ts";
import { lineAt } from "./text-lines.ts";

/**
 * Maximum length, in characters, of the prefix of the first wanted line that is searched for. The whole line is
 * compared only where this prefix occurs. Searching for a longer prefix could take quadratic time in repetitive text.
 */
const PROBE_CHARS = 64;

/**
 * Finds consecutive lines exactly as written, with any line ends, at or after the line that starts at `from`. Returns
 * the offset of the first line, or `undefined`. Runs in linear time and does not split the text into lines, because
 * files can be large.
 */
export function seekExactly(text: string, wanted: readonly string[], from: number): number | undefined {
  const probe = (wanted[0] ?? "").slice(0, PROBE_CHARS);
  const borders = bordersOf(wanted);
  // Start offsets of the lines matched so far.
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
