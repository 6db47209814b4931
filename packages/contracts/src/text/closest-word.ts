/** Returns the number of edits, including swaps of adjacent characters, that turn one word into another. */
function distanceOf(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : replaced;
      next.push(Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, replaced, swapped));
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}

/** Returns the known word that a mistyped word most likely means. `undefined` if no known word is similar. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const lower = word.slice(0, 100).toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((left, right) => left.distance - right.distance);
  return ranked[0]?.candidate;
}
