import { classLength } from "./expand-braces.ts";

/** Condition that one character of a name must meet. */
type Token = { kind: "character"; character: string } | { kind: "any" } | { kind: "star" } | CharacterClass;
interface CharacterClass {
  kind: "class";
  negated: boolean;
  ranges: readonly (readonly [from: number, to: number])[];
}

/** Returns whether a name matches one segment of a pattern. */
export type SegmentMatcher = (name: string) => boolean;

/**
 * Compiles one segment of a glob (without `/` and braces), or returns the problem. Matching takes O(name length ×
 * segment length) time.
 */
export function compileSegment(segment: string): SegmentMatcher | { problem: string } {
  const parsed = parseTokens(segment);
  if ("problem" in parsed) return parsed;
  const { tokens } = parsed;
  const literal = literalOf(tokens);
  if (literal !== undefined) return (name) => name === literal;
  const [first, ...rest] = tokens;
  const suffix = first?.kind === "star" ? literalOf(rest) : undefined;
  if (suffix !== undefined) return (name) => name.endsWith(suffix);
  return (name) => matchTokens(tokens, Array.from(name));
}

/** Matches greedily and backtracks to the last `*` only. This suffices because `*` matches anything. */
function matchTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0;
  let tokenAt = 0;
  let starAt = -1;
  let starEnd = 0;
  while (at < name.length) {
    const token = tokens[tokenAt];
    if (token?.kind === "star") {
      starAt = tokenAt;
      starEnd = at;
      tokenAt += 1;
    } else if (token !== undefined && matchesCharacter(token, name[at] ?? "")) {
      at += 1;
      tokenAt += 1;
    } else {
      if (starAt < 0) return false;
      starEnd += 1;
      at = starEnd;
      tokenAt = starAt + 1;
    }
  }
  return tokens.slice(tokenAt).every((token) => token.kind === "star");
}

function matchesCharacter(token: Token, character: string): boolean {
  switch (token.kind) {
    case "character":
      return token.character === character;
    case "any":
      return true;
    case "class": {
      const code = character.codePointAt(0) ?? 0;
      return token.ranges.some(([from, to]) => from <= code && code <= to) !== token.negated;
    }
    case "star":
      return false;
  }
}

function parseTokens(segment: string): { tokens: Token[] } | { problem: string } {
  const tokens: Token[] = [];
  for (let index = 0; index < segment.length; ) {
    const character = String.fromCodePoint(segment.codePointAt(index) ?? 0);
    if (character === "[") {
      const length = classLength(segment, index);
      if (length === 1) return { problem: "a [ has no ] after it" };
      tokens.push(parseClass(segment.slice(index + 1, index + length - 1)));
      index += length;
    } else if (character === "\\") {
      const escaped = segment.codePointAt(index + 1);
      if (escaped === undefined) return { problem: "a \\ has nothing after it" };
      tokens.push({ kind: "character", character: String.fromCodePoint(escaped) });
      index += 1 + String.fromCodePoint(escaped).length;
    } else {
      if (character === "?") tokens.push({ kind: "any" });
      else if (character !== "*") tokens.push({ kind: "character", character });
      else if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
      index += character.length;
    }
  }
  return { tokens };
}

function parseClass(body: string): CharacterClass {
  const negated = body.startsWith("!") || body.startsWith("^");
  const members = Array.from(negated ? body.slice(1) : body);
  const ranges: [number, number][] = [];
  for (let index = 0; index < members.length; index += 1) {
    if (members[index] === "\\" && index + 1 < members.length) index += 1;
    const from = members[index]?.codePointAt(0) ?? 0;
    const isRange = members[index + 1] === "-" && index + 2 < members.length;
    const to = isRange ? (members[index + 2]?.codePointAt(0) ?? 0) : from;
    if (isRange) index += 2;
    ranges.push([from, to]);
  }
  return { kind: "class", negated, ranges };
}

function literalOf(tokens: readonly Token[]): string | undefined {
  let literal = "";
  for (const token of tokens) {
    if (token.kind !== "character") return undefined;
    literal += token.character;
  }
  return literal;
}
