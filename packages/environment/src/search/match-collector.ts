import type { GrepMatch, GrepOptions, GrepResult } from "@switchyard/contracts";

/** Characters of a line that are handed out. */
const MAX_LINE_CHARS = 1000;

/** Collects what a search finds, up to a number of matches. */
export interface MatchCollector {
  /** Takes the next line, in the order of files and lines; false when no more are wanted. */
  add(match: GrepMatch): boolean;
  /** What was collected. */
  finish(): GrepResult;
}

/** Remembers the last answer: lines of a file come one after another. */
function askedOnce(isHidden: NonNullable<GrepOptions["isHidden"]>): (path: string) => boolean {
  let last: { readonly path: string; readonly isHidden: boolean } | undefined;
  return (path) => {
    if (last?.path !== path) last = { path, isHidden: isHidden(path) };
    return last.isHidden;
  };
}

/**
 * Makes a collector of at most `maxResults` matches, with the lines of context around them. Those in hidden files do not
 * count: how many there are must not show in what is left out of the others.
 */
export function createMatchCollector(
  maxResults: number,
  contextLines: number,
  hidden?: GrepOptions["isHidden"],
): MatchCollector {
  const isHidden = hidden === undefined ? undefined : askedOnce(hidden);
  const matches: GrepMatch[] = [];
  let found = 0;
  let truncated = false;
  let last: GrepMatch | undefined;
  return {
    add(match) {
      if (isHidden?.(match.path) === true) return true;
      if (!match.isContext && found >= maxResults) truncated = true;
      if (truncated) return false;
      // Context in front of a match that is one too many.
      const isAhead = found >= maxResults && (match.path !== last?.path || match.line > last.line + contextLines);
      if (isAhead) return true;
      if (!match.isContext) {
        found += 1;
        last = match;
      }
      matches.push({ ...match, text: boundLine(match.text) });
      return true;
    },
    finish: () => ({ matches, truncated }),
  };
}

/** A line that is no longer than is useful to read. */
export function boundLine(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)}…`;
}

/** A line without the carriage return of its end. */
export function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
