import { type Interval, type IntervalOptions, meanOf } from "./case-counts.ts";
import { studentTQuantile } from "./distribution/student-t.ts";

/** Mean of the rewards of all runs. */
export interface ClusteredMean extends Interval {
  /** Mean reward of all runs of all cases. */
  readonly mean: number;
  /** Standard error of the mean, with the cases as clusters. `undefined` with fewer than two cases. */
  readonly standardError: number | undefined;
}

/**
 * Returns the mean reward, its clustered standard error and its interval. Each inner list contains the rewards of one
 * case's runs. With fewer than two cases, the interval is unbounded. For rewards that are only 0 or 1, use
 * `passRateInterval`, which is more accurate with few cases.
 *
 * Source: Miller 2024, "Adding Error Bars to Evals", section 2.2, with the small-sample factor C / (C - 1) for C
 * clusters and the t distribution with C - 1 degrees of freedom (Cameron and Miller 2015, "A Practitioner's Guide to
 * Cluster-Robust Inference", section VI).
 */
export function clusteredMean(
  cases: readonly (readonly number[])[],
  { confidence = 0.95 }: IntervalOptions = {},
): ClusteredMean {
  const values = cases.flat();
  const mean = meanOf(values);
  const clusters = cases.filter((rewards) => rewards.length > 0);
  if (clusters.length < 2) {
    return { mean, standardError: undefined, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  }
  const sums = clusters.map((rewards) => rewards.reduce((sum, reward) => sum + reward - mean, 0));
  const factor = clusters.length / (clusters.length - 1);
  const standardError = Math.sqrt(factor * sums.reduce((sum, value) => sum + value * value, 0)) / values.length;
  const reach = studentTQuantile((1 + confidence) / 2, clusters.length - 1) * standardError;
  return { mean, standardError, low: mean - reach, high: mean + reach };
}
