import { EngineError } from "@switchyard/contracts";
import type { GroupName } from "../results/eval-statistics.ts";
import { holmCorrection } from "../statistics/index.ts";
import { compareGroup } from "./compare-group.ts";
import { gateProblemsOf } from "./gate-problems.ts";
import type { ComparedFile, ComparisonLimits, GroupComparison, ResultsComparison } from "./results-comparison.ts";
import { type StoredGroup, storedGroupsOf } from "./stored-group.ts";
import type { StoredResults } from "./stored-results.ts";

/** Significance level of all comparisons of pass rates together. */
const ALPHA = 0.05;
/** Minimum number of cases. With fewer cases, even the largest change of the pass rate has a p-value above 0.05. */
const FEWEST_CASES = 6;

/** Results that `compareResults` compares. */
export interface ComparedResults {
  /**
   * The first entry contains the results to compare with. Further entries contain earlier results of the same cases;
   * their runs are added to those of the first entry. At least one entry.
   */
  readonly base: readonly StoredResults[];
  /** The new results. */
  readonly current: StoredResults;
}

/**
 * Compares the results of two evaluations of the same cases, by engine and variant. Cases are matched by id. If both
 * evaluations have one engine and variant, these are compared whatever their names. Throws `config.invalid` if the
 * evaluations have no engine or no case in common.
 *
 * Pass rates are compared case by case. Each difference has a paired confidence interval and the p-value of a
 * permutation test. If every case ran once, the test is the exact McNemar test. With several engines and variants,
 * Holm's correction adjusts the p-values.
 */
export function compareResults({ base, current }: ComparedResults, limits: ComparisonLimits = {}): ResultsComparison {
  const { alpha = ALPHA } = limits;
  const baseGroups = storedGroupsOf(base.flatMap(({ trials }) => trials));
  const currentGroups = storedGroupsOf(current.trials);
  const pairs = pairGroups(baseGroups, currentGroups);
  const compared = withHolm(pairs.map(([left, right]) => compareGroup(left, right)));
  if (compared.every(({ cases }) => cases === 0)) throw nothingInCommon("case", baseGroups, currentGroups);
  const problems = gateProblemsOf(compared, { ...limits, alpha });
  return {
    ...{ format: 1, outcome: problems.length === 0 ? "passed" : "failed" },
    ...{ base: base.map(toFile), current: toFile(current), alpha, checks: checksOf(limits), problems },
    warnings: warningsOf({ base, current }, { compared, added: unmatched(currentGroups, compared) }),
    groups: compared,
  };
}

function checksOf({ maxCostIncrease, maxTimeIncrease, allowMissing }: ComparisonLimits): ResultsComparison["checks"] {
  return [
    "pass_rate",
    ...(maxCostIncrease === undefined ? [] : (["cost"] as const)),
    ...(maxTimeIncrease === undefined ? [] : (["time"] as const)),
    ...(allowMissing === true ? [] : (["missing_cases"] as const)),
  ];
}

function pairGroups(base: readonly StoredGroup[], current: readonly StoredGroup[]): [StoredGroup, StoredGroup][] {
  const [onlyBase, onlyCurrent] = [base[0], current[0]];
  if (base.length === 1 && current.length === 1 && onlyBase !== undefined && onlyCurrent !== undefined)
    return [[onlyBase, onlyCurrent]];
  const pairs = base.map((left): [StoredGroup, StoredGroup] => {
    const right = current.find((group) => isSame(group.name, left.name));
    return [left, right ?? { name: left.name, cases: new Map() }];
  });
  if (pairs.every(([, right]) => right.cases.size === 0)) throw nothingInCommon("engine", base, current);
  return pairs;
}

function isSame(left: GroupName, right: GroupName): boolean {
  return left.engine === right.engine && left.variant === right.variant;
}

function nothingInCommon(
  what: "case" | "engine",
  base: readonly StoredGroup[],
  current: readonly StoredGroup[],
): EngineError {
  const valuesOf = (groups: readonly StoredGroup[]): string[] =>
    what === "engine"
      ? groups.map(({ name: { engine, variant } }) => (variant === undefined ? engine : `${engine} · ${variant}`))
      : [...new Set(groups.flatMap(({ cases }) => [...cases.keys()]))];
  const list = (groups: readonly StoredGroup[]): string => valuesOf(groups).slice(0, 5).join(", ") || "none";
  const problem = `the results have no ${what} in common; the base has ${list(base)}, the new results have ${list(current)}.`;
  return new EngineError("config.invalid", { field: `${what}s`, problem });
}

function withHolm(groups: readonly GroupComparison[]): GroupComparison[] {
  const adjusted = holmCorrection(groups.map(({ p_value }) => p_value));
  // Unchanged cases have the p-value 1. Holm's correction includes them, because they were tested as well.
  const unchanged = groups.flatMap(({ cases: count, changes }) => Array<number>(count - changes.length).fill(1));
  const changed = groups.flatMap(({ changes }) => changes.map((change) => change.adjusted_p_value));
  const cases = holmCorrection([...changed, ...unchanged]);
  let next = 0;
  return groups.map((group, index) => ({
    ...group,
    adjusted_p_value: adjusted[index] ?? group.p_value,
    changes: group.changes.map((change) => {
      const adjusted_p_value = cases[next] ?? change.adjusted_p_value;
      next += 1;
      return { ...change, adjusted_p_value };
    }),
  }));
}

function unmatched(groups: readonly StoredGroup[], compared: readonly GroupComparison[]): StoredGroup[] {
  return groups.filter(({ name }) => !compared.some(({ current }) => isSame(current, name)));
}

function warningsOf(
  { base, current }: ComparedResults,
  { compared, added }: { compared: readonly GroupComparison[]; added: readonly StoredGroup[] },
): string[] {
  const warnings: string[] = [];
  const other = base.find(({ name }) => name !== current.name);
  if (other !== undefined)
    warnings.push(`The results belong to different evaluations: ${other.name} and ${current.name}.`);
  if (added.length > 0)
    warnings.push(
      `The base has no results of ${added.map(({ name }) => name.engine).join(", ")}, so they are not compared.`,
    );
  const most = Math.max(...compared.map(({ cases }) => cases));
  if (most < FEWEST_CASES) {
    warnings.push(
      `With fewer than ${FEWEST_CASES} cases, a change of the pass rate cannot be distinguished from chance. Add cases.`,
    );
  }
  return warnings;
}

function toFile({ path, name, started_at }: StoredResults): ComparedFile {
  return { path, name, started_at };
}
