import { keyOf, type TrialResult, type TrialUsage } from "./trial-result.ts";
import { sumUsage } from "./usage.ts";

/** How many runs ended how. */
export interface OutcomeCounts {
  /** All runs that were asked for. */
  total: number;
  /** PASS. */
  passed: number;
  /** FAIL. */
  failed: number;
  /** ERROR. */
  errors: number;
  /** SKIPPED. */
  skipped: number;
}

/** All runs of one engine under one variant. */
export interface EvalGroup {
  /** Name of the engine in this evaluation. */
  engine: string;
  /** Name of the variant; absent where there are none. */
  variant?: string | undefined;
  /** Models that answered. */
  models: string[];
  /** How its runs ended. */
  counts: OutcomeCounts;
  /** Share of PASS among the runs that were not skipped, from 0 to 1; absent when there are none. */
  pass_rate?: number | undefined;
  /** Median time of its sessions. */
  median_duration_ms?: number | undefined;
  /** What those used that were not skipped, earlier attempts included. */
  usage: TrialUsage;
}

/** How an evaluation as a whole ended. `incomplete` is one of which runs were skipped although nothing failed. */
export type EvalOutcome = "passed" | "failed" | "error" | "incomplete" | "interrupted";

/** An evaluation that is over: the file `results.json`. */
export interface EvalResults {
  /** Version of this format. */
  format: 1;
  /** Name of the evaluation. */
  name: string;
  /** How it ended. */
  outcome: EvalOutcome;
  /** When it was begun, ISO 8601. */
  started_at: string;
  /** When it ended, ISO 8601. */
  finished_at: string;
  /** How all runs ended. */
  counts: OutcomeCounts;
  /** What everything together used, judges and earlier attempts included. */
  usage: TrialUsage;
  /** The engines under each variant, to be compared. */
  groups: EvalGroup[];
  /** What was not as it should be with the evaluation itself, one sentence each. */
  warnings: string[];
  /** Every run. */
  trials: TrialResult[];
}

/** What the results are made from. */
export interface ResultParts extends Pick<EvalResults, "name" | "started_at" | "finished_at" | "warnings" | "trials"> {
  /** Whether somebody stopped it. */
  isInterrupted: boolean;
}

/** Puts the results of an evaluation together. */
export function summariseTrials({ isInterrupted, trials, ...about }: ResultParts): EvalResults {
  const { name, started_at, finished_at, warnings } = about;
  const counts = countOutcomes(trials);
  return {
    format: 1,
    name,
    outcome: isInterrupted && counts.skipped > 0 ? "interrupted" : outcomeOf(counts),
    ...{ started_at, finished_at, counts },
    usage: spentOn(trials),
    groups: groupsOf(trials),
    ...{ warnings, trials },
  };
}

/** How many of these runs ended how. */
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

/** What was not run because something failed (`--fail-fast`) changes nothing. */
function outcomeOf({ failed, errors, skipped }: OutcomeCounts): EvalOutcome {
  if (errors > 0) return "error";
  if (failed > 0) return "failed";
  return skipped > 0 ? "incomplete" : "passed";
}

/** Sessions that were begun, judges and earlier attempts included: what never ran has no usage to be unknown. */
function spentOn(trials: readonly TrialResult[]): TrialUsage {
  const judges = trials.flatMap(({ judge_usage }) => judge_usage ?? []);
  return sumUsage([...trials.flatMap(sessionsOf), ...judges]);
}

function sessionsOf({ run_id, usage, earlier_attempts }: TrialResult): TrialUsage[] {
  const earlier = earlier_attempts.filter((attempt) => attempt.run_id !== undefined).map((attempt) => attempt.usage);
  return [...earlier, ...(run_id === undefined ? [] : [usage])];
}

function groupsOf(trials: readonly TrialResult[]): EvalGroup[] {
  const groups = new Map<string, TrialResult[]>();
  for (const trial of trials) {
    const key = keyOf({ ...trial, case_id: "", iteration: 0 });
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [trial]);
    else members.push(trial);
  }
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    return first === undefined ? [] : [groupOf(first, members)];
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
    ...medianOf(members),
    usage: sumUsage(members.filter(({ outcome }) => outcome !== "SKIPPED").flatMap(sessionsOf)),
  };
}

function medianOf(members: readonly TrialResult[]): Pick<EvalGroup, "median_duration_ms"> {
  const times = members
    .filter(({ outcome }) => outcome !== "SKIPPED")
    .flatMap(({ duration_ms }) => duration_ms ?? [])
    .sort((left, right) => left - right);
  const [low, high] = [times[(times.length - 1) >> 1], times[times.length >> 1]];
  return low === undefined || high === undefined ? {} : { median_duration_ms: Math.round((low + high) / 2) };
}
