/** Outcomes of the runs of one case with one engine. */
export interface CaseCounts {
  /** Number of runs that passed. */
  readonly passed: number;
  /** Number of runs. At least 1. */
  readonly runs: number;
}

/** Outcomes of the runs of one case with two engines. */
export interface PairedCounts {
  /** Outcomes with the first engine. */
  readonly left: CaseCounts;
  /** Outcomes with the second engine. */
  readonly right: CaseCounts;
}

/** A confidence interval. */
export interface Interval {
  /** Lower end. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

/** Options for functions that return an interval. */
export interface IntervalOptions {
  /** Share of intervals that contain the true value, in the long run. Default: 0.95. */
  readonly confidence?: number | undefined;
}

/** Returns the pass rate of one case. */
export function rateOf({ passed, runs }: CaseCounts): number {
  return passed / runs;
}

/** Returns the pass rate of the first engine minus that of the second, case by case. */
export function differencesOf(pairs: readonly PairedCounts[]): number[] {
  return pairs.map(({ left, right }) => rateOf(left) - rateOf(right));
}

/** Returns the arithmetic mean. `NaN` for an empty list. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
