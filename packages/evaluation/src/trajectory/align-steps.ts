import type { TrajectoryStep } from "./trajectory.ts";

/**
 * Two corresponding steps of the first (`left`) and second (`right`) trajectory, or a single step without a
 * counterpart.
 */
export interface StepPair {
  readonly left?: TrajectoryStep | undefined;
  readonly right?: TrajectoryStep | undefined;
}

/**
 * Maximum number of pairs of steps to compare. With more pairs, only the equal steps at the beginning and at the end of
 * both trajectories are aligned.
 */
const MAX_CELLS = 4_000_000;

/** Aligns the steps of two trajectories by their longest common subsequence. */
export function alignSteps(left: readonly TrajectoryStep[], right: readonly TrajectoryStep[]): StepPair[] {
  const [one, other] = [left.map(keyOf), right.map(keyOf)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  const room = Math.min(one.length, other.length) - start;
  while (end < room && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const pairs = (from: number, to: number, shift: number): StepPair[] =>
    left.slice(from, to).map((step, index) => ({ left: step, right: right[from + index + shift] }));
  return [
    ...pairs(0, start, 0),
    ...alignMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...pairs(left.length - end, left.length, right.length - left.length),
  ];
}

function alignMiddle(left: readonly TrajectoryStep[], right: readonly TrajectoryStep[]): StepPair[] {
  const isTooLarge = left.length * right.length > MAX_CELLS;
  const lengths = isTooLarge ? [] : lengthsOf(left.map(keyOf), right.map(keyOf));
  const pairs: StepPair[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [one, other] = [left[row], right[column]];
    const isCommon = !isTooLarge && one !== undefined && other !== undefined && keyOf(one) === keyOf(other);
    const below = lengths[row + 1]?.[column] ?? 0;
    const beside = lengths[row]?.[column + 1] ?? 0;
    if (isCommon) pairs.push({ left: one, right: other });
    else if (one !== undefined && (other === undefined || below >= beside)) pairs.push({ left: one });
    else pairs.push({ right: other });
    const last = pairs.at(-1);
    if (last?.left !== undefined) row += 1;
    if (last?.right !== undefined) column += 1;
  }
  return pairs;
}

/** Returns a table with the length of the longest common subsequence for each pair of suffixes of two lists. */
function lengthsOf(left: readonly string[], right: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let row = left.length - 1; row >= 0; row -= 1) {
    const [own, below] = [rows[row], rows[row + 1]];
    if (own === undefined || below === undefined) continue;
    for (let column = right.length - 1; column >= 0; column -= 1) {
      own[column] =
        left[row] === right[column] ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, own[column + 1] ?? 0);
    }
  }
  return rows;
}

/** Returns a key that is the same for corresponding steps of two runs. The key does not contain ids and times. */
function keyOf({ source, message, tool_calls: calls = [] }: TrajectoryStep): string {
  return JSON.stringify([source, message, calls.map((call) => [call.function_name, call.arguments])]);
}
