/**
 * Returns the border table of a list: for each prefix, the length of its longest proper prefix that is also its suffix.
 */
export function bordersOf(wanted: readonly string[]): number[] {
  const borders = [0];
  let length = 0;
  for (let index = 1; index < wanted.length; index += 1) {
    while (length > 0 && wanted[index] !== wanted[length]) length = borders[length - 1] ?? 0;
    if (wanted[index] === wanted[length]) length += 1;
    borders.push(length);
  }
  return borders;
}

/**
 * Returns the index at or after `from` where the entries to find occur consecutively, or `undefined`. Uses the
 * Knuth-Morris-Pratt algorithm: untrusted files and patches must not cause quadratic time.
 */
export function findSequence(entries: readonly string[], wanted: readonly string[], from = 0): number | undefined {
  if (wanted.length === 0) return from <= entries.length ? from : undefined;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let index = from; index < entries.length; index += 1) {
    while (matched > 0 && entries[index] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (entries[index] === wanted[matched]) matched += 1;
    if (matched === wanted.length) return index - matched + 1;
  }
  return undefined;
}
