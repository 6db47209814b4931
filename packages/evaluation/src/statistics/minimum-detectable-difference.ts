import { studentTQuantile } from "./distribution/student-t.ts";

/** Plan of a comparison of two engines on the same cases. */
export interface ComparisonPlan {
  /** Number of cases. */
  readonly cases: number;
  /** Number of runs of each case with each engine. */
  readonly iterations: number;
  /** Significance level of the two-sided test. Default: 0.05. */
  readonly alpha?: number | undefined;
  /** Probability of detecting the difference. Default: 0.8. */
  readonly power?: number | undefined;
  /** Expected pass rate. Default: 0.5, at which differences are hardest to detect. */
  readonly passRate?: number | undefined;
  /**
   * Correlation of the runs of one case: 0 if all cases are equally hard, 1 if repeating a run never changes its
   * outcome. Default: 0.5.
   */
  readonly caseCorrelation?: number | undefined;
  /** Correlation of the two engines' pass rates over the cases. Default: 0.7. */
  readonly engineCorrelation?: number | undefined;
}

/**
 * Returns the smallest difference of two pass rates that the comparison detects with the given power, from 0 to 1.
 * `undefined` if the plan cannot detect any difference, for example because it has too few cases.
 *
 * Source: Miller 2024, "Adding Error Bars to Evals", section 5, equation 9, with the variance of a paired difference of
 * correlated binary outcomes, t quantiles instead of normal ones because cases are few, and a continuity correction
 * (Yates 1934) because the test is exact. In simulations, the power at this difference is within five points of the
 * planned one.
 */
export function minimumDetectableDifference(plan: ComparisonPlan): number | undefined {
  const { cases, iterations, alpha = 0.05, power = 0.8 } = plan;
  // With fewer cases, even a difference in every case has a larger p-value than the significance level.
  if (2 ** (1 - cases) > alpha) return undefined;
  const { passRate = 0.5, caseCorrelation = 0.5, engineCorrelation = 0.7 } = plan;
  const between = caseCorrelation * (1 - engineCorrelation);
  const within = (1 - caseCorrelation) / iterations;
  const variance = 2 * passRate * (1 - passRate) * (between + within);
  const quantiles = studentTQuantile(1 - alpha / 2, cases - 1) + studentTQuantile(power, cases - 1);
  // The exact test loses up to half a step of the possible sums.
  const difference = quantiles * Math.sqrt(variance / cases) + 1 / (cases * iterations);
  return difference > 1 ? undefined : difference;
}
