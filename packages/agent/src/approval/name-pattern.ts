/** Token of a pattern for file names. */
type Token =
  | { readonly kind: "any" | "star" }
  | { readonly kind: "one"; readonly fits: (character: string) => boolean };

/** Compiled pattern. Returns true if it matches the name of a file or folder. */
export type NamePattern = (name: string) => boolean;

function parseClass(body: string): (character: string) => boolean {
  const negated = /^[!^]/.test(body);
  const members = Array.from(negated ? body.slice(1) : body);
  const ranges: [string, string][] = [];
  for (let index = 0; index < members.length; index += 1) {
    const from = members[index] ?? "";
    const isRange = members[index + 1] === "-" && index + 2 < members.length;
    ranges.push([from, isRange ? (members[index + 2] ?? "") : from]);
    if (isRange) index += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated;
}

function parseTokens(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(pattern);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    // A closing bracket directly after the opening bracket is a literal member of the character class.
    const end = character === "[" ? characters.indexOf("]", index + 2) : -1;
    if (end > 0) {
      tokens.push({ kind: "one", fits: parseClass(characters.slice(index + 1, end).join("")) });
      index = end;
    } else if (character === "*") tokens.push({ kind: "star" });
    else if (character === "?") tokens.push({ kind: "one", fits: () => true });
    else tokens.push({ kind: "one", fits: (other) => other === character });
  }
  return tokens;
}

/**
 * Returns whether a name matches the tokens of a pattern. Backtracks only to the last `*`, which suffices because `*`
 * matches anything. Runs in O(name length × pattern length).
 */
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let [at, tokenAt, starAt, starEnd] = [0, 0, -1, 0];
  while (at < name.length) {
    const token = tokens[tokenAt];
    if (token?.kind === "star") {
      [starAt, starEnd] = [tokenAt, at];
      tokenAt += 1;
    } else if (token?.kind === "one" && token.fits(name[at] ?? "")) {
      at += 1;
      tokenAt += 1;
    } else {
      if (starAt < 0) return false;
      starEnd += 1;
      [at, tokenAt] = [starEnd, starAt + 1];
    }
  }
  return tokens.slice(tokenAt).every(({ kind }) => kind === "star");
}

/**
 * Compiles a pattern for one file or folder name. `*`, `?` and `[…]` are special, other characters match themselves.
 */
export function compileNamePattern(pattern: string): NamePattern {
  if (!/[*?[]/.test(pattern)) return (name) => name === pattern;
  const tokens = parseTokens(pattern);
  return (name) => matches(tokens, Array.from(name));
}
