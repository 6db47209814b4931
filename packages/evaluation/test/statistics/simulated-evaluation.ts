import { createRandom, normalQuantile, type PairedCounts, type Random } from "../../src/statistics/index.ts";

/** True behaviour of engines in a simulated evaluation. Logits of pass rates are normal over the cases. */
export interface Truth {
  /** Mean pass rate of each engine over all cases. */
  rates: readonly number[];
  /** Spread of difficulty over the cases, which all engines share, in logits. */
  caseSpread: number;
  /** Spread over the cases that each engine has for itself, in logits. */
  engineSpread: number;
}

/** Size of a simulated evaluation. */
export interface Size {
  cases: number;
  iterations: number;
}

/** Midpoints of equally probable slices of the standard normal distribution. */
const NODES = Array.from({ length: 60 }, (_, index) => normalQuantile((index + 0.5) / 60));

function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** Returns the mean logit at which the mean pass rate over all cases is `rate`. */
function logitFor(rate: number, spread: number): number {
  let [low, high] = [-40, 40];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    const mean = NODES.reduce((sum, node) => sum + logistic(middle + spread * node), 0) / NODES.length;
    if (mean < rate) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function drawNormal(random: Random): number {
  return normalQuantile(Math.max(random(), 1e-12));
}

/** Returns the number of passes of each case (outer) with each engine (inner). */
export function simulate({ rates, caseSpread, engineSpread }: Truth, size: Size, random: Random): number[][] {
  const spread = Math.hypot(caseSpread, engineSpread);
  const logits = rates.map((rate) => logitFor(rate, spread));
  return Array.from({ length: size.cases }, () => {
    const shared = caseSpread * drawNormal(random);
    return logits.map((logit) => {
      const rate = logistic(logit + shared + engineSpread * drawNormal(random));
      let passed = 0;
      for (let run = 0; run < size.iterations; run += 1) passed += random() < rate ? 1 : 0;
      return passed;
    });
  });
}

/** Returns the outcomes of two engines as pairs. */
export function pairsOf(
  passes: readonly number[][],
  { iterations: runs }: Size,
  [left = 0, right = 1]: readonly number[] = [],
): PairedCounts[] {
  return passes.map((row) => ({
    left: { passed: row[left] ?? 0, runs },
    right: { passed: row[right] ?? 0, runs },
  }));
}

/** Correlations of pass rates within cases and between engines, as `minimumDetectableDifference` takes them. */
export function correlationsOf({ rates, caseSpread, engineSpread }: Truth): { within: number; between: number } {
  const [rate = 0.5] = rates;
  const logit = logitFor(rate, Math.hypot(caseSpread, engineSpread));
  // A fixed sample of cases: the mean of products over it is the covariance.
  const random = createRandom(5);
  let [square, product] = [0, 0];
  const count = 20_000;
  for (let index = 0; index < count; index += 1) {
    const shared = caseSpread * drawNormal(random);
    const [one, other] = [0, 0].map(() => logistic(logit + shared + engineSpread * drawNormal(random)));
    square += ((one ?? 0) - rate) ** 2 / count;
    product += (((one ?? 0) - rate) * ((other ?? 0) - rate)) / count;
  }
  return { within: square / (rate * (1 - rate)), between: product / square };
}
