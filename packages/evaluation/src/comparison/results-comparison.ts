import type { GroupName } from "../results/eval-statistics.ts";
import type { CaseCounts, Interval } from "../statistics/index.ts";

/** Limits of `compareResults`. */
export interface ComparisonLimits {
  /** Significance level of the comparison of pass rates. Default: 0.05. */
  readonly alpha?: number | undefined;
  /** Maximum increase of the mean cost of a run, as a share: 0.1 is 10 %. Default: no limit. */
  readonly maxCostIncrease?: number | undefined;
  /** Maximum increase of the mean duration of a run, as a share: 0.1 is 10 %. Default: no limit. */
  readonly maxTimeIncrease?: number | undefined;
  /** Whether cases of the earlier results may be missing from the new results. Default: false. */
  readonly allowMissing?: boolean | undefined;
}

/** Mean cost or mean duration of a run in each of two evaluations, over the same cases. */
export interface MeasureComparison {
  /** Mean of the earlier results, in US dollars or milliseconds. */
  base: number;
  /** 95 % interval of `base`, with the cases as clusters. `undefined` with fewer than two cases. */
  base_interval?: Interval | undefined;
  /** Mean of the new results. */
  current: number;
  /** 95 % interval of `current`. `undefined` with fewer than two cases. */
  current_interval?: Interval | undefined;
  /** Change as a share of the earlier mean: 0.1 is 10 % more. `undefined` if the earlier mean is 0. */
  increase?: number | undefined;
}

/** A case whose pass rate differs between the evaluations, or whose outcome varied within one of them. */
export interface CaseChange {
  /** Id of the case. */
  case_id: string;
  /** Outcomes in the earlier results. */
  base: CaseCounts;
  /** Outcomes in the new results. */
  current: CaseCounts;
  /** `flaky`: the pass rate is unchanged, but the outcome varied. */
  change: "regressed" | "improved" | "flaky";
  /** Whether the outcome varied between runs of one evaluation. */
  is_flaky: boolean;
  /** p-value of the change of this case (Fisher's exact test), with Holm's correction for all cases. */
  adjusted_p_value: number;
}

/** Comparison of one engine and variant in two evaluations. */
export interface GroupComparison {
  /** Engine and variant in the earlier results. */
  base: GroupName;
  /** Engine and variant in the new results. */
  current: GroupName;
  /** Number of cases that ran in both evaluations. Everything is compared on these cases. */
  cases: number;
  /** Mean pass rate in the earlier results, from 0 to 1. */
  base_pass_rate: number;
  /** Mean pass rate in the new results, from 0 to 1. */
  current_pass_rate: number;
  /** Change of the pass rate, from -1 to 1: the mean over the cases. */
  difference: number;
  /** 95 % interval of the change. */
  difference_interval: Interval;
  /** Test of the change: `mcnemar` if each case ran once in both evaluations. */
  test: "mcnemar" | "permutation";
  /** Two-sided p-value of the change. */
  p_value: number;
  /** The p-value with Holm's correction for all engines and variants. */
  adjusted_p_value: number;
  /**
   * Smallest change that a comparison with this number of cases and runs detects with a probability of 80 %.
   * `undefined` if there are too few cases.
   */
  detectable_difference?: number | undefined;
  /** Mean cost of a run. `undefined` if the cost of a run is unknown. */
  cost_usd?: MeasureComparison | undefined;
  /** Mean duration of a run. `undefined` if no case has a known duration in both evaluations. */
  duration_ms?: MeasureComparison | undefined;
  /** Changed and flaky cases: regressions first. */
  changes: CaseChange[];
  /** Cases of the earlier results that have no result in the new evaluation. */
  missing_cases: string[];
  /** Cases that only the new evaluation has. */
  added_cases: string[];
}

/** Reason why a gate fails, that is, why the new results are not accepted. */
export interface GateProblem {
  /** What got worse. */
  kind: "pass_rate" | "cost" | "time" | "missing_cases";
  /** Engine and variant in the new results. */
  group: GroupName;
  /** Explanation, one sentence. */
  message: string;
}

/** Results file that took part in a comparison. */
export interface ComparedFile {
  /** Path of the file. */
  path: string;
  /** Name of the evaluation. */
  name: string;
  /** Start time of the evaluation, ISO 8601. */
  started_at: string;
}

/** Comparison of the results of two evaluations. */
export interface ResultsComparison {
  /** Version of this format. */
  format: 1;
  /** `failed` if there is any problem. */
  outcome: "passed" | "failed";
  /**
   * The first entry is the result file that the new results are compared with. Further entries are earlier result
   * files, whose runs are added to those of the first.
   */
  base: ComparedFile[];
  /** New results. */
  current: ComparedFile;
  /** Significance level of the comparison of pass rates. */
  alpha: number;
  /**
   * Checks that decide whether the new results are accepted: the pass rate is always checked, cost and duration if they
   * have a limit, and missing cases unless they are allowed.
   */
  checks: GateProblem["kind"][];
  /** Reasons why the new results are not accepted. */
  problems: GateProblem[];
  /** Problems of the comparison itself, one sentence each. */
  warnings: string[];
  /** Comparisons by engine and variant. */
  groups: GroupComparison[];
}
