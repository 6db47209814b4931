import { EngineError } from "@switchyard/contracts";
import { expandBraces } from "./expand-braces.ts";
import type { SegmentMatcher } from "./match-segment.ts";
import { compileSegment } from "./match-segment.ts";

/** Maximum length of a glob pattern, in characters. Matching time grows with the length. */
const MAX_PATTERN_CHARS = 4096;

/** Returns whether a relative path (with `/`) matches a pattern. */
export type GlobMatcher = (path: string) => boolean;

type Step = SegmentMatcher | "**";

/**
 * Compiles a glob pattern: `*` and `?` within a name, `**` for any number of folders, `[a-z]`, `[!a]`, `{a,b}`, and `\`
 * to escape a character. Matching is case-sensitive, and a leading dot is not special.
 *
 * Matching takes O(path length × pattern length) time for each brace alternative. Throws `environment.invalid_pattern`.
 */
export function compileGlob(pattern: string): GlobMatcher {
  const refuse = (problem: string): EngineError =>
    new EngineError("environment.invalid_pattern", { pattern: pattern.slice(0, 200), problem });
  if (pattern === "") throw refuse("it is empty");
  if (pattern.includes("\0")) throw refuse("it contains a NUL character");
  if (pattern.length > MAX_PATTERN_CHARS) throw refuse(`it is longer than ${MAX_PATTERN_CHARS} characters`);
  const expanded = expandBraces(pattern);
  if ("problem" in expanded) throw refuse(expanded.problem);
  const alternatives = expanded.patterns.map((alternative) => {
    const steps: Step[] = [];
    for (const segment of alternative.split("/")) {
      if (segment === "." || segment === "") continue;
      const step = segment === "**" ? segment : compileSegment(segment);
      if (typeof step === "object") throw refuse(step.problem);
      if (step !== "**" || steps.at(-1) !== "**") steps.push(step);
    }
    return steps;
  });
  const [first = []] = alternatives;
  const matchesName = alternatives.length === 1 ? nameMatcherOf(first) : undefined;
  if (matchesName !== undefined) return (path) => matchesName(path.slice(path.lastIndexOf("/") + 1));
  return (path) => {
    const names = path.split("/");
    return alternatives.some((steps) => matchSteps(steps, names));
  };
}

/**
 * Returns a matcher that looks only at the file name if the pattern is `**` and one more segment, as in most searches.
 */
function nameMatcherOf([first, second, ...rest]: readonly Step[]): SegmentMatcher | undefined {
  return first === "**" && second !== "**" && rest.length === 0 ? second : undefined;
}

/**
 * Matches a path against the segments of a pattern with the greedy algorithm for `*` in names. Here, `**` takes the
 * role of `*`, and names take the role of characters.
 */
function matchSteps(steps: readonly Step[], names: readonly string[]): boolean {
  let at = 0;
  let stepAt = 0;
  let starAt = -1;
  let starEnd = 0;
  while (at < names.length) {
    const step = steps[stepAt];
    if (step === "**") {
      // A trailing `**` matches only what is inside the folder, so it needs at least one name.
      if (stepAt === steps.length - 1) return true;
      starAt = stepAt;
      starEnd = at;
      stepAt += 1;
    } else if (step?.(names[at] ?? "") === true) {
      at += 1;
      stepAt += 1;
    } else {
      if (starAt < 0) return false;
      starEnd += 1;
      at = starEnd;
      stepAt = starAt + 1;
    }
  }
  return stepAt === steps.length;
}
