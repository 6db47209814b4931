import {
  type CaseCounts,
  differencesOf,
  flakeTest,
  holmCorrection,
  type Interval,
  type PairedCounts,
  pairedDifference,
  paretoFrontier,
  passAtK,
  passHatK,
  permutationTest,
} from "../statistics/index.ts";
import type { TrialResult } from "./trial-result.ts";

/** Engine and variant whose trials are counted together. */
export interface GroupName {
  /** Name of the engine in this evaluation. */
  engine: string;
  /** Name of the variant. `undefined` if the suite has no variants. */
  variant?: string | undefined;
}

/** Probabilities that at least one, or all, of several runs of a case pass: means over the cases. */
export interface Reliability {
  /** Number of runs `k`: as many as the case with the fewest runs has. */
  k: number;
  /** Probability that at least one of `k` runs passes, `pass@k`. */
  pass_at_k: number;
  /** Probability that all of `k` runs pass, `pass^k`. */
  pass_hat_k: number;
}

/** Comparison of two engines or variants on the same cases. */
export interface EvalComparison {
  /** First engine and variant. */
  left: GroupName;
  /** Second engine and variant. */
  right: GroupName;
  /** Number of cases that ran with both engines or variants. */
  cases: number;
  /** Difference of the pass rates (first minus second), from -1 to 1, as the mean over the cases. */
  difference: number;
  /** 95 % interval of the difference. */
  difference_interval: Interval;
  /** Two-sided p-value of the permutation test. */
  p_value: number;
  /** The p-value with Holm's correction for all comparisons of the evaluation. */
  adjusted_p_value: number;
}

/** A case of which some runs passed and others did not. */
export interface FlakyCase extends GroupName {
  /** Id of the case. */
  case_id: string;
  /** Number of runs that passed. */
  passed: number;
  /** Number of runs that were not skipped. */
  runs: number;
  /** Probability that the rarer outcome occurs in at least as many runs as observed, if its true rate is 5 %. */
  p_value: number;
}

/** An engine's pass rate and cost, compared with those of all others. */
export interface FrontierEntry extends GroupName {
  /** Mean pass rate of the cases that all engines ran, from 0 to 1. */
  pass_rate: number;
  /** Mean cost of a run, in US dollars. */
  cost_usd: number;
  /**
   * True if no other engine has a higher pass rate at the same or a lower cost, or a lower cost at the same or a higher
   * pass rate.
   */
  is_on_frontier: boolean;
  /**
   * Share of resampled evaluations (random samples of the cases) in which the engine is on the frontier, from 0 to 1.
   */
  frontier_share: number;
}

/** Statistics about several engines or variants of an evaluation. */
export interface EvalStatistics {
  /** Comparisons of all pairs of engines and variants. */
  comparisons: EvalComparison[];
  /** Cases whose outcome varied between runs. */
  flaky_cases: FlakyCase[];
  /** Pass rate against cost. Empty unless there are several engines and the cost of every run is known. */
  frontier: FrontierEntry[];
}

/** The runs of one engine and variant that were not skipped, by case. */
export interface GroupRuns extends GroupName {
  /** Runs by case id. No case has an empty list. */
  cases: ReadonlyMap<string, readonly TrialResult[]>;
}

/** Groups the trials of one engine and variant by case. */
export function runsOf({ engine, variant }: GroupName, trials: readonly TrialResult[]): GroupRuns {
  const cases = new Map<string, TrialResult[]>();
  for (const trial of trials) {
    if (trial.outcome === "SKIPPED") continue;
    const runs = cases.get(trial.case_id);
    if (runs === undefined) cases.set(trial.case_id, [trial]);
    else runs.push(trial);
  }
  return { ...nameOf({ engine, variant }), cases };
}

function nameOf({ engine, variant }: GroupName): GroupName {
  return { engine, ...(variant === undefined ? {} : { variant }) };
}

/** Returns the number of runs and of passed runs of each case. */
export function countsOf({ cases }: GroupRuns): CaseCounts[] {
  return [...cases.values()].map(countRuns);
}

function countRuns(runs: readonly TrialResult[]): CaseCounts {
  return { passed: runs.filter(({ outcome }) => outcome === "PASS").length, runs: runs.length };
}

/** Returns `pass@k` and `pass^k`. `undefined` if a case ran only once. */
export function reliabilityOf(counts: readonly CaseCounts[]): Reliability | undefined {
  const k = Math.min(...counts.map(({ runs }) => runs));
  if (counts.length === 0 || k < 2) return undefined;
  const mean = (chance: typeof passAtK): number =>
    counts.reduce((sum, count) => sum + (chance(count, k) ?? 0), 0) / counts.length;
  return { k, pass_at_k: mean(passAtK), pass_hat_k: mean(passHatK) };
}

/** Compares all engines and variants of an evaluation. */
export function compareGroups(groups: readonly GroupRuns[]): EvalStatistics {
  const comparisons = groups.flatMap((left, index) =>
    groups.slice(index + 1).flatMap((right) => compareTwo(left, right) ?? []),
  );
  const adjusted = holmCorrection(comparisons.map(({ p_value }) => p_value));
  return {
    comparisons: comparisons.map((one, index) => ({ ...one, adjusted_p_value: adjusted[index] ?? one.p_value })),
    flaky_cases: groups.flatMap(flakyCasesOf),
    frontier: frontierOf(groups),
  };
}

/** Returns the outcomes of the cases that ran with both engines. */
function pairsOf(left: GroupRuns, right: GroupRuns): PairedCounts[] {
  return [...left.cases].flatMap(([id, runs]) => {
    const others = right.cases.get(id);
    return others === undefined ? [] : [{ left: countRuns(runs), right: countRuns(others) }];
  });
}

function compareTwo(left: GroupRuns, right: GroupRuns): EvalComparison | undefined {
  const pairs = pairsOf(left, right);
  if (pairs.length === 0) return undefined;
  const { difference, low, high } = pairedDifference(pairs);
  const { pValue } = permutationTest(differencesOf(pairs));
  return {
    ...{ left: nameOf(left), right: nameOf(right), cases: pairs.length },
    ...{ difference, difference_interval: { low, high }, p_value: pValue, adjusted_p_value: pValue },
  };
}

function flakyCasesOf(group: GroupRuns): FlakyCase[] {
  return [...group.cases].flatMap(([case_id, trials]) => {
    const { isFlaky, passed, runs, pValue } = flakeTest(countRuns(trials));
    return isFlaky ? [{ ...nameOf(group), case_id, passed, runs, p_value: pValue }] : [];
  });
}

function frontierOf(groups: readonly GroupRuns[]): FrontierEntry[] {
  const [first] = groups;
  if (first === undefined || groups.length < 2) return [];
  const shared = [...first.cases.keys()].filter((id) => groups.every(({ cases }) => cases.has(id)));
  const inputs = groups.map(({ cases }) => {
    const runs = shared.map((id) => cases.get(id) ?? []);
    return {
      quality: runs.map((one) => countRuns(one).passed / one.length),
      cost: runs.map((one) => one.reduce((sum, trial) => sum + costOf(trial), 0) / one.length),
    };
  });
  if (shared.length === 0 || inputs.some(({ cost }) => cost.some(Number.isNaN))) return [];
  return paretoFrontier(inputs).flatMap((point, index) => {
    const { quality: pass_rate, cost: cost_usd, isOnFrontier, share } = point;
    const group = groups[index];
    if (group === undefined) return [];
    return [{ ...nameOf(group), pass_rate, cost_usd, is_on_frontier: isOnFrontier, frontier_share: share }];
  });
}

/** Returns the known cost of a trial, earlier attempts included. `NaN` if it is unknown or partial. */
function costOf({ usage, earlier_attempts, run_id }: TrialResult): number {
  const used = [...(run_id === undefined ? [] : [usage]), ...earlier_attempts.map((attempt) => attempt.usage)];
  return used.reduce(
    (sum, { cost_usd, is_cost_partial }) => sum + (is_cost_partial === true ? Number.NaN : (cost_usd ?? Number.NaN)),
    0,
  );
}
