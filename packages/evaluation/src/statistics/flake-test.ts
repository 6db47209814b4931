import type { CaseCounts } from "./case-counts.ts";
import { logGamma } from "./distribution/beta.ts";

/** Stability of one case with one engine. */
export interface FlakeResult extends CaseCounts {
  /** Whether some runs passed and others did not. */
  readonly isFlaky: boolean;
  /**
   * One-sided p-value of the rarer outcome: the probability of seeing it at least as often if it occurred at the
   * tolerated rate. A small value means that the case varies beyond what is tolerated.
   */
  readonly pValue: number;
  /**
   * Two-sided p-value of a change against earlier runs of the case. `undefined` without earlier runs.
   */
  readonly changePValue: number | undefined;
}

/** Options for `flakeTest`. */
export interface FlakeOptions {
  /** Share of runs whose outcome may differ from the usual one. Default: 0.05. */
  readonly tolerance?: number | undefined;
  /** Outcomes of earlier runs of the case with the same engine. */
  readonly history?: CaseCounts | undefined;
}

/** Relative difference below which two probabilities count as equal. */
const TIE = 1e-7;

/**
 * Tests whether a case's outcome varies between runs beyond a tolerated rate, and whether its pass rate differs from
 * that of earlier runs.
 *
 * Sources: exact binomial test (Clopper and Pearson 1934); Fisher's exact test (Fisher 1922), whose two-sided p-value
 * sums the tables that are at most as probable than the observed one.
 */
export function flakeTest(counts: CaseCounts, { tolerance = 0.05, history }: FlakeOptions = {}): FlakeResult {
  const { passed, runs } = counts;
  return {
    passed,
    runs,
    isFlaky: passed > 0 && passed < runs,
    pValue: binomialTail(Math.min(passed, runs - passed), runs, tolerance),
    changePValue: history === undefined ? undefined : fisherTest(counts, history),
  };
}

/** Returns the probability of at least `count` successes in `runs` runs. */
function binomialTail(count: number, runs: number, probability: number): number {
  let tail = 0;
  for (let index = count; index <= runs; index += 1) {
    tail += Math.exp(
      logChoose(runs, index) + index * Math.log(probability) + (runs - index) * Math.log1p(-probability),
    );
  }
  return count === 0 ? 1 : tail;
}

/** Returns the two-sided p-value of Fisher's exact test of two pass rates. */
export function fisherTest(left: CaseCounts, right: CaseCounts): number {
  const passed = left.passed + right.passed;
  const runs = left.runs + right.runs;
  const probability = (count: number): number =>
    Math.exp(logChoose(left.runs, count) + logChoose(right.runs, passed - count) - logChoose(runs, passed));
  const observed = probability(left.passed);
  let total = 0;
  for (let count = Math.max(0, passed - right.runs); count <= Math.min(left.runs, passed); count += 1) {
    const one = probability(count);
    if (one <= observed * (1 + TIE)) total += one;
  }
  return Math.min(1, total);
}

function logChoose(whole: number, part: number): number {
  return logGamma(whole + 1) - logGamma(part + 1) - logGamma(whole - part + 1);
}
