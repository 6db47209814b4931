import type { GrepMatch, GrepOptions, GrepResult } from "@switchyard/contracts";

/** Maximum number of characters returned for a line. */
const MAX_LINE_CHARS = 1000;

/** Collects search results up to a maximum number of matches. */
export interface MatchCollector {
  /**
   * Adds the next line of the search output. Lines of the same file must be added one directly after the other, in
   * ascending order of their line numbers. Returns false when no more lines are needed.
   */
  add(match: GrepMatch): boolean;
  /** Returns the collected result. */
  finish(): GrepResult;
}

/** Caches the last result of `isHidden`, because lines of the same file are consecutive. */
function cacheLastHidden(isHidden: NonNullable<GrepOptions["isHidden"]>): (path: string) => boolean {
  let last: { readonly path: string; readonly isHidden: boolean } | undefined;
  return (path) => {
    if (last?.path !== path) last = { path, isHidden: isHidden(path) };
    return last.isHidden;
  };
}

/**
 * Creates a collector of at most `maxResults` matches and their context lines. Matches in hidden files do not count
 * towards the maximum, because truncation would otherwise reveal how many there are.
 */
export function createMatchCollector(
  maxResults: number,
  contextLines: number,
  hidden?: GrepOptions["isHidden"],
): MatchCollector {
  const isHidden = hidden === undefined ? undefined : cacheLastHidden(hidden);
  const matches: GrepMatch[] = [];
  let found = 0;
  let truncated = false;
  let last: GrepMatch | undefined;
  return {
    add(match) {
      if (isHidden?.(match.path) === true) return true;
      if (!match.isContext && found >= maxResults) truncated = true;
      if (truncated) return false;
      // Skips context lines that precede a match beyond the maximum number of matches.
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

/** Truncates a line to the maximum number of characters that a search returns. */
export function boundLine(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)}…`;
}

/** Removes the carriage return at the end of a line. */
export function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
