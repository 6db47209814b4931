import type { CaseCounts, Interval, IntervalOptions } from "./case-counts.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/** Number of grid points for the mean pass rate and for the correlation of runs of the same case. */
const [RATES, CORRELATIONS] = [200, 20];

/**
 * Returns an interval for the pass rate over all similar cases, of which these are a sample. The runs of one case are
 * correlated, so ten runs of one case say less than one run of each of ten cases.
 *
 * Method: credible interval of the mean of a beta-binomial model with uniform priors for the mean and for the
 * correlation within cases. With one case, the rate of that case: `wilsonInterval`. In simulations with 5 to 50 cases,
 * 1 to 8 runs each and true rates from 2 to 98 %, 93 to 97 % of the 95 % intervals contain the true rate. A normal
 * approximation with clustered standard errors does not reach that with few cases.
 *
 * Source: Bowyer, Aitchison and Ivanova 2025, "Position: Don't Use the CLT in LLM Evals With Fewer Than a Few Hundred
 * Datapoints", section 4; the model is that of Skellam 1948.
 */
export function passRateInterval(cases: readonly CaseCounts[], { confidence = 0.95 }: IntervalOptions = {}): Interval {
  const [first] = cases;
  if (first === undefined) return { low: 0, high: 1 };
  if (cases.length === 1) return wilsonInterval(first, { confidence });
  const posterior = posteriorOf(cases);
  const isNone = cases.every(({ passed }) => passed === 0);
  const isAll = cases.every(({ passed, runs }) => passed === runs);
  // If the observed rate is 0 or 1, the interval includes this rate, as Brown, Cai and DasGupta recommend.
  return {
    low: isNone ? 0 : quantileOf(posterior, (1 - confidence) / 2),
    high: isAll ? 1 : quantileOf(posterior, (1 + confidence) / 2),
  };
}

/** Numbers of cases with more passes, failures or runs than the index. The likelihood depends only on these numbers. */
interface Tally {
  readonly passes: readonly number[];
  readonly failures: readonly number[];
  readonly runs: readonly number[];
}

function tallyOf(cases: readonly CaseCounts[]): Tally {
  const exceeding = (counts: readonly number[]): number[] =>
    Array.from({ length: Math.max(...counts) }, (_, index) => counts.filter((count) => count > index).length);
  return {
    passes: exceeding(cases.map(({ passed }) => passed)),
    failures: exceeding(cases.map(({ passed, runs }) => runs - passed)),
    runs: exceeding(cases.map(({ runs }) => runs)),
  };
}

/** Returns the posterior probability of each pass rate on the grid. */
function posteriorOf(cases: readonly CaseCounts[]): number[] {
  const tally = tallyOf(cases);
  const likelihoods = Array.from({ length: RATES }, (_, rate) =>
    Array.from({ length: CORRELATIONS }, (__, correlation) =>
      logLikelihood(tally, (rate + 0.5) / RATES, (correlation + 0.5) / CORRELATIONS),
    ),
  );
  const highest = likelihoods.reduce((most, row) => Math.max(most, ...row), Number.NEGATIVE_INFINITY);
  const weights = likelihoods.map((row) => row.reduce((sum, value) => sum + Math.exp(value - highest), 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Returns the logarithm of the beta-binomial likelihood, up to a constant. */
function logLikelihood({ passes, failures, runs }: Tally, rate: number, correlation: number): number {
  const size = (1 - correlation) / correlation;
  const rising = (counts: readonly number[], start: number): number =>
    counts.reduce((sum, count, index) => sum + count * Math.log(start + index), 0);
  return rising(passes, rate * size) + rising(failures, (1 - rate) * size) - rising(runs, size);
}

function quantileOf(posterior: readonly number[], probability: number): number {
  let below = 0;
  for (const [index, weight] of posterior.entries()) {
    if (below + weight >= probability) return (index + (probability - below) / weight) / posterior.length;
    below += weight;
  }
  return 1;
}
