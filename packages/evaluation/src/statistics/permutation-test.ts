import { createRandom } from "./create-random.ts";
import { addDifference, EMPTY_SUM, tailOf, toWhole } from "./sign-flips.ts";

/** Options for `permutationTest`. */
export interface PermutationOptions {
  /** Number of random permutations if an exact test would take too long. Default: 20,000. */
  readonly draws?: number | undefined;
  /** Seed of the random permutations. Default: 1. */
  readonly seed?: number | undefined;
}

/** Result of a permutation test. */
export interface PermutationResult {
  /** Two-sided p-value. */
  readonly pValue: number;
  /** `exact` if all permutations were counted, `monte_carlo` if a random sample of them was counted. */
  readonly method: "exact" | "monte_carlo";
}

/**
 * Maximum number of cases with different results for which all permutations are enumerated. Enumeration replaces
 * convolution if the differences have no common denominator, or if convolution would take more than `MAX_STEPS` steps.
 * With more cases, the p-value is estimated from random permutations.
 */
const MAX_ENUMERATED = 16;
/** Maximum number of steps for computing the exact distribution by convolution. */
const MAX_STEPS = 1e8;
/** Two sums closer than this share of the largest possible sum count as equal. */
const TIE = 1e-9;

/**
 * Tests whether two engines differ on the same cases, given the difference of each case (`differencesOf`, or the
 * differences of mean rewards). The permutation test exchanges the engines' results within each case. The cases count
 * as a sample, so the result applies to similar cases too. If fewer than six cases differ, no p-value is below 0.05.
 *
 * For pass counts, the p-value is exact with any number of cases, by convolution (Pagano and Tritchler 1983, "On
 * obtaining permutation distributions in polynomial time"). For other values, it is exact with up to 16 cases. With
 * more cases, it is estimated from random permutations and the observed one (Phipson and Smyth 2010, "Permutation
 * p-values should never be zero"). With one run per case, the test equals the exact McNemar test.
 *
 * Source: Fisher 1935, "The Design of Experiments", section 21.
 */
export function permutationTest(differences: readonly number[], options: PermutationOptions = {}): PermutationResult {
  const differing = differences.filter((difference) => difference !== 0);
  if (differing.length === 0) return { pValue: 1, method: "exact" };
  const { whole, isRounded } = toWhole(differing);
  if (!isRounded && isQuick(whole)) {
    const sums = whole.reduce(addDifference, EMPTY_SUM);
    const observed = Math.abs(whole.reduce((sum, value) => sum + value, 0));
    return { pValue: Math.min(1, tailOf(sums, observed)), method: "exact" };
  }
  if (differing.length <= MAX_ENUMERATED) return { pValue: enumerate(differing), method: "exact" };
  return { pValue: drawSigns(differing, options), method: "monte_carlo" };
}

function isQuick(whole: readonly number[]): boolean {
  return whole.length * whole.reduce((sum, value) => sum + Math.abs(value), 0) <= MAX_STEPS;
}

function thresholdOf(differences: readonly number[]): number {
  const largest = differences.reduce((sum, value) => sum + Math.abs(value), 0);
  return Math.abs(differences.reduce((sum, value) => sum + value, 0)) - TIE * largest;
}

function enumerate(differences: readonly number[]): number {
  const threshold = thresholdOf(differences);
  const count = 2 ** differences.length;
  let extreme = 0;
  for (let signs = 0; signs < count; signs += 1) {
    const sum = differences.reduce((total, value, index) => total + ((signs >> index) & 1 ? value : -value), 0);
    if (Math.abs(sum) >= threshold) extreme += 1;
  }
  return extreme / count;
}

function drawSigns(differences: readonly number[], { draws = 20_000, seed = 1 }: PermutationOptions): number {
  const random = createRandom(seed);
  const threshold = thresholdOf(differences);
  let extreme = 1;
  for (let draw = 0; draw < draws; draw += 1) {
    const sum = differences.reduce((total, value) => total + (random() < 0.5 ? value : -value), 0);
    if (Math.abs(sum) >= threshold) extreme += 1;
  }
  return extreme / (draws + 1);
}
