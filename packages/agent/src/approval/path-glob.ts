import { EngineError } from "@switchyard/contracts";
import { compileNamePattern, type NamePattern } from "./name-pattern.ts";
import type { MatchResult } from "./rule-match.ts";

/**
 * Maximum number of patterns that the braces of one glob expand to. Without a limit, a glob with `{a,b}` twenty times
 * would expand to a million patterns.
 */
const MAX_ALTERNATIVES = 256;

/** A compiled glob relative to the workspace. */
export interface PathGlob {
  /** Returns whether the glob matches a file, given as the list of names on its path. */
  matchesPath(names: readonly string[]): MatchResult;
  /** Returns whether everything below a folder matches (`yes`), something may (`maybe`), or nothing does (`no`). */
  matchesTree(names: readonly string[]): MatchResult;
}

/** Segment of a glob: a pattern for one name, or `folders` for `**`, which matches any number of folders. */
type Segment = NamePattern | "folders";

function refuse(glob: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field: `approval rule path ${JSON.stringify(glob)}`, problem });
}

/** Expands `{a,b}` into separate patterns, innermost braces first to support nesting. */
function expandBraces(glob: string): string[] {
  let patterns = [glob];
  while (patterns.some((pattern) => /\{[^{}]*\}/.test(pattern))) {
    patterns = patterns.flatMap((pattern) => {
      const found = /^(.*)\{([^{}]*)\}(.*)$/su.exec(pattern);
      if (found === null) return [pattern];
      const [, before = "", choices = "", after = ""] = found;
      return choices.split(",").map((choice) => before + choice + after);
    });
    if (patterns.length > MAX_ALTERNATIVES) throw refuse(glob, `it expands to more than ${MAX_ALTERNATIVES} patterns`);
  }
  return patterns;
}

function toSegments(pattern: string, glob: string): Segment[] {
  const below = pattern.replace(/^(?:\.?\/)+/, "");
  const names = (below.endsWith("/") ? `${below}**` : below).split("/").filter((name) => name !== "" && name !== ".");
  if (names.length === 0) throw refuse(glob, "it is empty; write ** for everything");
  if (names.includes("..")) throw refuse(glob, "it leads out of the workspace");
  return names.map((name) => (name === "**" ? "folders" : compileNamePattern(name)));
}

/**
 * Returns the positions in a glob's segments at which matching can continue after the given path segments. There are
 * several, because `**` matches any number of folders, including none.
 */
function advance(segments: readonly Segment[], names: readonly string[]): ReadonlySet<number> {
  let positions = withSkips(segments, [0]);
  for (const name of names) {
    const next: number[] = [];
    for (const position of positions) {
      const segment = segments[position];
      if (segment === "folders") next.push(position);
      else if (segment?.(name) === true) next.push(position + 1);
    }
    positions = withSkips(segments, next);
  }
  return positions;
}

function withSkips(segments: readonly Segment[], positions: readonly number[]): Set<number> {
  const all = new Set(positions);
  for (const position of all) if (segments[position] === "folders") all.add(position + 1);
  return all;
}

/**
 * Compiles a glob relative to the workspace. `fold` maps names to the same text if the file system treats them as
 * equal. Throws `config.invalid`.
 */
export function compilePathGlob(glob: string, fold: (text: string) => string): PathGlob {
  const patterns = expandBraces(fold(glob)).map((pattern) => toSegments(pattern, glob));
  return {
    matchesPath: (names) => {
      const folded = names.map(fold);
      return patterns.some((segments) => advance(segments, folded).has(segments.length)) ? "yes" : "no";
    },
    matchesTree: (names) => {
      const folded = names.map(fold);
      const ends = patterns.map((segments) => ({ segments, positions: advance(segments, folded) }));
      const isFullMatch = ends.some(
        ({ segments, positions }) => segments.at(-1) === "folders" && positions.has(segments.length),
      );
      if (isFullMatch) return "yes";
      return ends.some(({ positions }) => positions.size > 0) ? "maybe" : "no";
    },
  };
}
