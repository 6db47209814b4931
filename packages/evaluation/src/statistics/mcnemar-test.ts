import { logGamma } from "./distribution/beta.ts";

/** Result of McNemar's test. */
export interface McNemarResult {
  /**
   * Exact two-sided p-value. A test that uses this p-value gives false alarms at most as often as its significance
   * level says.
   */
  readonly exact: number;
  /**
   * Two-sided mid-p value, less conservative than the exact p value: the rate of false alarms is close to the
   * significance level and rarely above it.
   */
  readonly midP: number;
}

/**
 * Compares two engines that ran each case once. `onlyLeft` cases passed with the first engine only, `onlyRight` cases
 * with the second only; cases with equal outcomes do not matter.
 *
 * Source: McNemar 1947; mid-p as in Fagerland, Lydersen and Laake 2013, "The McNemar test for binary matched-pairs
 * data: mid-p and asymptotic are better than exact conditional".
 */
export function mcnemarTest(onlyLeft: number, onlyRight: number): McNemarResult {
  const count = onlyLeft + onlyRight;
  const fewer = Math.min(onlyLeft, onlyRight);
  let tail = 0;
  for (let index = 0; index <= fewer; index += 1) tail += probabilityOf(index, count);
  const exact = Math.min(1, 2 * tail);
  return {
    exact,
    midP: onlyLeft === onlyRight ? 1 - probabilityOf(fewer, count) / 2 : 2 * tail - probabilityOf(fewer, count),
  };
}

/** Returns the probability of exactly `heads` heads in `tosses` tosses of a fair coin. */
function probabilityOf(heads: number, tosses: number): number {
  const ways = logGamma(tosses + 1) - logGamma(heads + 1) - logGamma(tosses - heads + 1);
  return Math.exp(ways - tosses * Math.LN2);
}
