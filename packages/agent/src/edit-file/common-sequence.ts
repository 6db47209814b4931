/** Positions of an entry that occurs in both lists: its index in each list. */
export interface CommonEntry {
  readonly left: number;
  readonly right: number;
}

/** Maximum product of the list lengths. For larger lists, only common prefixes and suffixes are found. */
const MAX_CELLS = 1_000_000;

function commonInMiddle(left: readonly string[], right: readonly string[]): CommonEntry[] {
  const width = right.length + 1;
  if (left.length * right.length > MAX_CELLS) return [];
  const lengths = new Uint32Array((left.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const common: CommonEntry[] = [];
  for (let [row, column] = [0, 0]; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) {
      common.push({ left: row, right: column });
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return common;
}

/** Returns a longest common subsequence of two lists, in order. Always includes their common prefix and suffix. */
export function commonSequence(left: readonly string[], right: readonly string[]): CommonEntry[] {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let ends = 0;
  while (ends < shorter - start && left[left.length - 1 - ends] === right[right.length - 1 - ends]) ends += 1;
  const middle = commonInMiddle(left.slice(start, left.length - ends), right.slice(start, right.length - ends));
  return [
    ...Array.from({ length: start }, (_, index) => ({ left: index, right: index })),
    ...middle.map((entry) => ({ left: entry.left + start, right: entry.right + start })),
    ...Array.from({ length: ends }, (_, index) => ({
      left: left.length - ends + index,
      right: right.length - ends + index,
    })),
  ];
}
