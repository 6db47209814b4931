/** Highest common denominator of the differences that is tried. */
const MAX_SCALE = 2_520;
/**
 * If the differences have no common denominator up to `MAX_SCALE`, they are rounded to multiples of `1 / ROUGH_SCALE`.
 */
const ROUGH_SCALE = 1_000;
const ACCURACY = 1e-9;

/** The differences between two engines, one per case, as whole multiples of a unit. */
export interface WholeDifferences {
  /** The differences, as multiples of the unit. */
  readonly whole: readonly number[];
  /** Whether the differences were rounded. */
  readonly isRounded: boolean;
}

/** Expresses differences as multiples of the largest unit that fits all of them, or of 0.001 if none does. */
export function toWhole(differences: readonly number[]): WholeDifferences {
  for (let scale = 1; scale <= MAX_SCALE; scale += 1) {
    const isWhole = (value: number): boolean => Math.abs(value * scale - Math.round(value * scale)) < ACCURACY * scale;
    if (differences.every(isWhole)) {
      return { whole: differences.map((value) => Math.round(value * scale)), isRounded: false };
    }
  }
  return { whole: differences.map((value) => Math.round(value * ROUGH_SCALE)), isRounded: true };
}

/** Distribution of the sum of the differences if the sign of each difference is chosen at random. */
export interface SumDistribution {
  /** Highest possible sum. */
  readonly reach: number;
  /** Probability of each possible sum. The first is that of the sum `-reach`, the last that of the sum `reach`. */
  readonly probabilities: Float64Array;
}

/** Distribution to which `addDifference` adds the first difference: the sum is 0 with probability 1. */
export const EMPTY_SUM: SumDistribution = { reach: 0, probabilities: Float64Array.of(1) };

/**
 * Returns the distribution of the sum after adding one more difference, whose sign is positive or negative with equal
 * probability.
 */
export function addDifference({ reach, probabilities }: SumDistribution, difference: number): SumDistribution {
  const size = Math.abs(difference);
  const sums = new Float64Array(2 * (reach + size) + 1);
  for (const [index, probability] of probabilities.entries()) {
    if (probability === 0) continue;
    sums[index] = (sums[index] ?? 0) + probability / 2;
    sums[index + 2 * size] = (sums[index + 2 * size] ?? 0) + probability / 2;
  }
  return { reach: reach + size, probabilities: sums };
}

/** Returns the probability that the absolute value of the sum of all differences is at least `size`. */
export function tailOf({ reach, probabilities }: SumDistribution, size: number): number {
  let tail = 0;
  for (const [index, probability] of probabilities.entries()) {
    if (Math.abs(index - reach) >= size) tail += probability;
  }
  return tail;
}
