import type { CaseCounts, Interval, IntervalOptions } from "./case-counts.ts";
import { normalQuantile } from "./distribution/normal.ts";

/**
 * Returns the Wilson score interval of a proportion, without continuity correction. It assumes independent runs, so use
 * it for the runs of one case; `passRateInterval` is for several cases.
 *
 * Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference"; recommended for small
 * samples by Brown, Cai and DasGupta 2001, "Interval estimation for a binomial proportion".
 */
export function wilsonInterval({ passed, runs }: CaseCounts, { confidence = 0.95 }: IntervalOptions = {}): Interval {
  const z = normalQuantile((1 + confidence) / 2);
  const rate = passed / runs;
  const scale = 1 + (z * z) / runs;
  const middle = rate + (z * z) / (2 * runs);
  const reach = z * Math.sqrt((rate * (1 - rate)) / runs + (z * z) / (4 * runs * runs));
  return {
    low: passed === 0 ? 0 : Math.max(0, (middle - reach) / scale),
    high: passed === runs ? 1 : Math.min(1, (middle + reach) / scale),
  };
}
