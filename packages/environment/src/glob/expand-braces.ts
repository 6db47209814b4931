/**
 * Maximum number of patterns to which the braces of a pattern may expand. A pattern with more is rejected: twenty
 * groups `{a,b}` would expand to a million.
 */
const MAX_ALTERNATIVES = 256;

/** Expands the braces of a pattern, which may be nested. Returns the problem if the pattern is invalid. */
export function expandBraces(pattern: string): { patterns: string[] } | { problem: string } {
  let patterns = [""];
  let index = 0;
  while (index < pattern.length) {
    const character = pattern.charAt(index);
    if (character === "}") return { problem: "a } has no { before it" };
    if (character !== "{") {
      const length = character === "\\" ? 2 : classLength(pattern, index);
      const piece = pattern.slice(index, index + length);
      patterns = patterns.map((prefix) => prefix + piece);
      index += length;
      continue;
    }
    const group = readGroup(pattern, index);
    if (group === undefined) return { problem: "a { has no } after it" };
    const alternatives: string[] = [];
    for (const alternative of group.alternatives) {
      const inner = expandBraces(alternative);
      if ("problem" in inner) return inner;
      alternatives.push(...inner.patterns);
      if (alternatives.length * patterns.length > MAX_ALTERNATIVES) {
        return { problem: `it expands to more than ${MAX_ALTERNATIVES} patterns` };
      }
    }
    patterns = patterns.flatMap((prefix) => alternatives.map((alternative) => prefix + alternative));
    index = group.end;
  }
  return { patterns };
}

/** Returns the length of the character class `[…]` that starts at an index, or 1 if no class starts there. */
export function classLength(pattern: string, index: number): number {
  if (pattern.charAt(index) !== "[") return 1;
  let at = index + 1;
  if (pattern.charAt(at) === "!" || pattern.charAt(at) === "^") at += 1;
  // In a character class, a `]` directly after the opening bracket is a literal.
  if (pattern.charAt(at) === "]") at += 1;
  while (at < pattern.length && pattern.charAt(at) !== "]") at += pattern.charAt(at) === "\\" ? 2 : 1;
  return at < pattern.length ? at - index + 1 : 1;
}

function readGroup(pattern: string, start: number): { alternatives: string[]; end: number } | undefined {
  const alternatives: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let index = start; index < pattern.length; ) {
    const character = pattern.charAt(index);
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if ((character === "," && depth === 1) || depth === 0) {
      alternatives.push(pattern.slice(from, index));
      from = index + 1;
    }
    if (depth === 0) return { alternatives, end: index + 1 };
    index += character === "\\" ? 2 : classLength(pattern, index);
  }
  return undefined;
}
