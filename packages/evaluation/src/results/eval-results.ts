import { type Interval, passRateInterval } from "../statistics/index.ts";
import {
  compareGroups,
  countsOf,
  type EvalStatistics,
  type GroupName,
  type GroupRuns,
  type Reliability,
  reliabilityOf,
  runsOf,
} from "./eval-statistics.ts";
import { type JudgeStatistics, judgeStatisticsOf } from "./judge-statistics.ts";
import type { PreferenceResults } from "./preference-results.ts";
import { keyOf, type TrialResult, type TrialUsage } from "./trial-result.ts";
import { sumUsage } from "./usage.ts";

/** Number of trials by outcome. */
export interface OutcomeCounts {
  /** Number of planned trials. */
  total: number;
  /** Number of trials that ended in `PASS`. */
  passed: number;
  /** Number of trials that ended in `FAIL`. */
  failed: number;
  /** Number of trials that ended in `ERROR`. */
  errors: number;
  /** Number of trials that ended in `SKIPPED`. */
  skipped: number;
}

/** Summary of all trials of one engine with one variant. */
export interface EvalGroup extends GroupName {
  /** Models that the sessions used. */
  models: string[];
  /** Number of trials by outcome. */
  counts: OutcomeCounts;
  /** Fraction of `PASS` among trials that were not skipped, from 0 to 1. `undefined` if all were skipped. */
  pass_rate?: number | undefined;
  /**
   * Mean reward of trials that were not skipped. Trials without a reward count as 0. `undefined` if no trial has a
   * reward.
   */
  mean_score?: number | undefined;
  /**
   * 95 % interval of the pass rate that is expected over all similar cases, of which the cases of the suite are a
   * sample. `undefined` if all were skipped.
   */
  pass_rate_interval?: Interval | undefined;
  /** `pass@k` and `pass^k`. `undefined` if a case ran only once. */
  reliability?: Reliability | undefined;
  /** Median session duration, in milliseconds. `undefined` if no session ran. */
  median_duration_ms?: number | undefined;
  /** Usage of all trials that were not skipped. Includes earlier attempts; excludes judges and simulated users. */
  usage: TrialUsage;
}

/** Outcome of a whole evaluation. `incomplete`: nothing failed, but some trials were skipped. */
export type EvalOutcome = "passed" | "failed" | "error" | "incomplete" | "interrupted";

/** Outcome of a comparison that could stop early. */
export interface SequentialResult {
  /**
   * `different`: the engines differ. `not_different`: no difference was found. `continue`: the comparison was
   * interrupted before a decision.
   */
  decision: "different" | "not_different" | "continue";
  /**
   * Number of cases that the decision is based on. Decisions are made at interim analyses, which check after fixed
   * numbers of cases whether to stop. For `continue`: number of cases at the next interim analysis.
   */
  cases: number;
  /** Number of cases of the whole evaluation. */
  planned_cases: number;
}

/** Result of a finished evaluation: the content of `results.json`. */
export interface EvalResults {
  /** Version of the results format. */
  format: 1;
  /** Name of the evaluation. */
  name: string;
  /** Outcome of the evaluation. */
  outcome: EvalOutcome;
  /** Start time, ISO 8601. */
  started_at: string;
  /** End time, ISO 8601. */
  finished_at: string;
  /** Number of trials by outcome. */
  counts: OutcomeCounts;
  /** Total usage, including judges, simulated users and earlier attempts. */
  usage: TrialUsage;
  /** Usage of all judges. `undefined` if none was called. */
  judge_usage?: TrialUsage | undefined;
  /** Usage of all simulated users. `undefined` if there was none. */
  simulated_user_usage?: TrialUsage | undefined;
  /** Verdicts of the judges, and how often they agree. `undefined` if no judge was called. */
  judges?: JudgeStatistics | undefined;
  /** Summaries by engine and variant. */
  groups: EvalGroup[];
  /** Comparisons of engines and variants, flaky cases, and the frontier of pass rate and cost. */
  statistics: EvalStatistics;
  /** Outcome of the comparison that could stop early. `undefined` if early stopping was not requested. */
  sequential?: SequentialResult | undefined;
  /** Pairwise comparisons of the engines by judges. `undefined` if the suite has no `preference`. */
  preferences?: PreferenceResults | undefined;
  /** Problems of the evaluation itself, one sentence each. */
  warnings: string[];
  /** Results of all trials. */
  trials: TrialResult[];
}

/** Input of `summariseTrials`. */
export interface ResultParts
  extends Pick<
    EvalResults,
    "name" | "started_at" | "finished_at" | "sequential" | "preferences" | "warnings" | "trials"
  > {
  /** Whether the evaluation was stopped early. */
  isInterrupted: boolean;
}

/** Builds the results of an evaluation from the results of its trials. */
export function summariseTrials({ isInterrupted, trials, ...about }: ResultParts): EvalResults {
  const { name, started_at, finished_at, sequential, preferences, warnings } = about;
  const counts = countOutcomes(trials);
  const groups = groupsOf(trials);
  return {
    format: 1,
    name,
    outcome: isInterrupted && counts.skipped > 0 ? "interrupted" : outcomeOf(counts),
    ...{ started_at, finished_at, counts },
    ...spentOn(trials, preferences),
    ...judgesOf(trials),
    groups: groups.map(([group]) => group),
    statistics: compareGroups(groups.map(([, runs]) => runs)),
    ...(sequential === undefined ? {} : { sequential }),
    ...(preferences === undefined ? {} : { preferences }),
    ...{ warnings, trials },
  };
}

/** Counts trials by outcome. */
export function countOutcomes(trials: readonly Pick<TrialResult, "outcome">[]): OutcomeCounts {
  const count = (outcome: TrialResult["outcome"]): number => trials.filter((one) => one.outcome === outcome).length;
  return {
    total: trials.length,
    passed: count("PASS"),
    failed: count("FAIL"),
    errors: count("ERROR"),
    skipped: count("SKIPPED"),
  };
}

/**
 * Errors and failures determine the outcome before skipped trials do: `--fail-fast` skips the remaining trials after
 * the first failure.
 */
function outcomeOf({ failed, errors, skipped }: OutcomeCounts): EvalOutcome {
  if (errors > 0) return "error";
  if (failed > 0) return "failed";
  return skipped > 0 ? "incomplete" : "passed";
}

/**
 * Sums the usage of all started sessions, judges and simulated users. Trials without a session are excluded, because
 * their unknown usage would make the total look partial.
 */
function spentOn(
  trials: readonly TrialResult[],
  preferences: PreferenceResults | undefined,
): Pick<EvalResults, "usage" | "judge_usage" | "simulated_user_usage"> {
  const attempts = trials.flatMap((trial) => [...trial.earlier_attempts, trial]);
  const compared = preferences?.comparisons.flatMap(({ verdicts }) => verdicts.flatMap(({ usage }) => usage ?? []));
  const judges = [...attempts.flatMap(({ judge_usage }) => judge_usage ?? []), ...(compared ?? [])];
  const users = attempts.flatMap(({ simulated_user_usage }) => simulated_user_usage ?? []);
  return {
    usage: sumUsage([...trials.flatMap(sessionsOf), ...judges, ...users]),
    ...(judges.length === 0 ? {} : { judge_usage: sumUsage(judges) }),
    ...(users.length === 0 ? {} : { simulated_user_usage: sumUsage(users) }),
  };
}

function judgesOf(trials: readonly TrialResult[]): Pick<EvalResults, "judges"> {
  const judges = judgeStatisticsOf(trials);
  return judges === undefined ? {} : { judges };
}

function sessionsOf({ run_id, usage, earlier_attempts }: TrialResult): TrialUsage[] {
  const earlier = earlier_attempts.filter((attempt) => attempt.run_id !== undefined).map((attempt) => attempt.usage);
  return [...earlier, ...(run_id === undefined ? [] : [usage])];
}

/** Returns the usage of all sessions, judges and simulated users of a trial, earlier attempts included. */
export function usagesOf(trial: TrialResult): TrialUsage[] {
  const attempts = [...trial.earlier_attempts, trial];
  const helpers = attempts.flatMap(({ judge_usage: judge, simulated_user_usage: user }) => [judge ?? [], user ?? []]);
  return [...sessionsOf(trial), ...helpers.flat()];
}

/** Summarises trials by engine and variant. */
export function summariseGroups(trials: readonly TrialResult[]): EvalGroup[] {
  return groupsOf(trials).map(([group]) => group);
}

function groupsOf(trials: readonly TrialResult[]): (readonly [EvalGroup, GroupRuns])[] {
  const groups = new Map<string, TrialResult[]>();
  for (const trial of trials) {
    const key = keyOf({ ...trial, case_id: "", iteration: 0 });
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [trial]);
    else members.push(trial);
  }
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const runs = runsOf(first, members);
    return [[{ ...groupOf(first, members), ...accuracyOf(runs) }, runs] as const];
  });
}

function groupOf({ engine, variant }: TrialResult, members: readonly TrialResult[]): EvalGroup {
  const counts = countOutcomes(members);
  const decided = counts.total - counts.skipped;
  const models = new Set(members.flatMap(({ model }) => model ?? []));
  return {
    engine,
    ...(variant === undefined ? {} : { variant }),
    models: [...models],
    counts,
    ...(decided === 0 ? {} : { pass_rate: counts.passed / decided }),
    ...meanScoreOf(members),
    ...medianOf(members),
    usage: sumUsage(members.filter(({ outcome }) => outcome !== "SKIPPED").flatMap(sessionsOf)),
  };
}

function accuracyOf(runs: GroupRuns): Pick<EvalGroup, "pass_rate_interval" | "reliability"> {
  const counts = countsOf(runs);
  if (counts.length === 0) return {};
  const reliability = reliabilityOf(counts);
  return { pass_rate_interval: passRateInterval(counts), ...(reliability === undefined ? {} : { reliability }) };
}

function meanScoreOf(members: readonly TrialResult[]): Pick<EvalGroup, "mean_score"> {
  const decided = members.filter(({ outcome }) => outcome !== "SKIPPED");
  if (decided.every(({ score }) => score === undefined)) return {};
  return { mean_score: decided.reduce((sum, { score = 0 }) => sum + score, 0) / decided.length };
}

function medianOf(members: readonly TrialResult[]): Pick<EvalGroup, "median_duration_ms"> {
  const times = members
    .filter(({ outcome }) => outcome !== "SKIPPED")
    .flatMap(({ duration_ms }) => duration_ms ?? [])
    .sort((left, right) => left - right);
  const [low, high] = [times[(times.length - 1) >> 1], times[times.length >> 1]];
  return low === undefined || high === undefined ? {} : { median_duration_ms: Math.round((low + high) / 2) };
}
