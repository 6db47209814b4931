import {
  type CaseCounts,
  clusteredMean,
  differencesOf,
  flakeTest,
  mcnemarTest,
  minimumDetectableDifference,
  pairedDifference,
  permutationTest,
} from "../statistics/index.ts";
import type { CaseChange, GroupComparison, MeasureComparison } from "./results-comparison.ts";
import type { StoredGroup } from "./stored-group.ts";
import type { StoredTrial } from "./stored-results.ts";

/** A case that ran in both evaluations. */
interface MatchedCase {
  readonly id: string;
  readonly base: readonly StoredTrial[];
  readonly current: readonly StoredTrial[];
}

/** Order in which changed cases are listed. */
const RANKS: Readonly<Record<CaseChange["change"], number>> = { regressed: 0, improved: 1, flaky: 2 };

/**
 * Compares one engine and variant on the cases that ran in both evaluations. The p-values are not yet corrected for the
 * number of comparisons.
 */
export function compareGroup(base: StoredGroup, current: StoredGroup): GroupComparison {
  const matched = [...base.cases].flatMap(([id, runs]): MatchedCase[] => {
    const others = current.cases.get(id);
    return others === undefined ? [] : [{ id, base: runs, current: others }];
  });
  // The change is the new value minus the base value.
  const pairs = matched.map((one) => ({ left: countRuns(one.current), right: countRuns(one.base) }));
  const { difference, low, high } = pairedDifference(pairs);
  const tested = testChange(matched, differencesOf(pairs));
  const iterations = Math.min(...matched.flatMap((one) => [one.base.length, one.current.length]));
  const detectable =
    matched.length === 0 ? undefined : minimumDetectableDifference({ cases: matched.length, iterations });
  const cost = compareMeasure(matched, { of: ({ cost_usd }) => cost_usd, mustBeComplete: true });
  const time = compareMeasure(matched, { of: ({ duration_ms }) => duration_ms, mustBeComplete: false });
  return {
    ...{ base: base.name, current: current.name, cases: matched.length },
    base_pass_rate: meanOf(pairs.map(({ right }) => right.passed / right.runs)),
    current_pass_rate: meanOf(pairs.map(({ left }) => left.passed / left.runs)),
    ...{ difference, difference_interval: { low, high }, ...tested, adjusted_p_value: tested.p_value },
    ...(detectable === undefined ? {} : { detectable_difference: detectable }),
    ...(cost === undefined ? {} : { cost_usd: cost }),
    ...(time === undefined ? {} : { duration_ms: time }),
    changes: changesOf(matched),
    missing_cases: [...base.cases.keys()].filter((id) => !current.cases.has(id)),
    added_cases: [...current.cases.keys()].filter((id) => !base.cases.has(id)),
  };
}

function testChange(
  matched: readonly MatchedCase[],
  differences: readonly number[],
): Pick<GroupComparison, "test" | "p_value"> {
  if (matched.some(({ base, current }) => base.length > 1 || current.length > 1))
    return { test: "permutation", p_value: permutationTest(differences).pValue };
  const better = differences.filter((one) => one > 0).length;
  const worse = differences.filter((one) => one < 0).length;
  return { test: "mcnemar", p_value: mcnemarTest(better, worse).exact };
}

function countRuns(runs: readonly StoredTrial[]): CaseCounts {
  return { passed: runs.filter(({ outcome }) => outcome === "PASS").length, runs: runs.length };
}

/** Lists the cases whose pass rate changed or whose outcome varied, with uncorrected p-values. */
function changesOf(matched: readonly MatchedCase[]): CaseChange[] {
  const changes = matched.flatMap((one): CaseChange[] => {
    const [base, current] = [countRuns(one.base), countRuns(one.current)];
    const { isFlaky, changePValue = 1 } = flakeTest(current, { history: base });
    const is_flaky = isFlaky || flakeTest(base).isFlaky;
    const change = current.passed / current.runs - base.passed / base.runs;
    if (change === 0 && !is_flaky) return [];
    const kind = change < 0 ? "regressed" : change > 0 ? "improved" : "flaky";
    return [{ case_id: one.id, base, current, change: kind, is_flaky, adjusted_p_value: changePValue }];
  });
  return changes.sort(
    (left, right) =>
      RANKS[left.change] - RANKS[right.change] ||
      left.adjusted_p_value - right.adjusted_p_value ||
      left.case_id.localeCompare(right.case_id),
  );
}

interface Measure {
  /** Returns the value of a run. `undefined` if unknown. */
  readonly of: (trial: StoredTrial) => number | undefined;
  /** Whether one unknown value makes the comparison impossible. Otherwise, cases without a value are left out. */
  readonly mustBeComplete: boolean;
}

/** Compares the mean of a measure. Each case counts equally, however often it ran in either evaluation. */
function compareMeasure(
  matched: readonly MatchedCase[],
  { of, mustBeComplete }: Measure,
): MeasureComparison | undefined {
  const means = matched.map((one) => {
    const [base, current] = [one.base.map(of), one.current.map(of)];
    const isComplete = [...base, ...current].every((value) => value !== undefined);
    return { base: meanOfKnown(base), current: meanOfKnown(current), isComplete };
  });
  if (mustBeComplete && means.some(({ isComplete }) => !isComplete)) return undefined;
  const known = means.flatMap(({ base, current }) =>
    base === undefined || current === undefined ? [] : [{ base, current }],
  );
  if (known.length === 0) return undefined;
  const base = clusteredMean(known.map((one) => [one.base]));
  const current = clusteredMean(known.map((one) => [one.current]));
  const intervals =
    base.standardError === undefined
      ? {}
      : {
          base_interval: { low: Math.max(0, base.low), high: base.high },
          current_interval: { low: Math.max(0, current.low), high: current.high },
        };
  return {
    ...{ base: base.mean, current: current.mean, ...intervals },
    ...(base.mean === 0 ? {} : { increase: current.mean / base.mean - 1 }),
  };
}

function meanOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : meanOf(known);
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
