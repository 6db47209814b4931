import { neutraliseControls, plural, renderTable } from "@switchyard/terminal";
import { groupName } from "../page/charts.ts";
import { formatMoney, formatPExpression, formatPoints, formatPValue, formatShare, formatTime } from "../page/format.ts";
import type { CaseChange, GroupComparison, MeasureComparison, ResultsComparison } from "./results-comparison.ts";

/** Maximum number of changed cases that are listed for each engine. */
const MAX_CASES = 20;
const HEADINGS = [
  "ENGINE",
  "CASES",
  "BASE",
  "NEW",
  "CHANGE",
  "95 % INTERVAL",
  "P-VALUE",
  "COST OF A RUN",
  "TIME OF A RUN",
];

/**
 * Returns the lines that show a comparison on a terminal: a table, changed cases, and whether the new results are
 * accepted.
 */
export function describeComparison(comparison: ResultsComparison): string[] {
  const { groups, alpha, warnings } = comparison;
  const table = renderTable([HEADINGS, ...groups.map(rowOf)], { rightFrom: 1, omitEmpty: true });
  return [
    ...table,
    "",
    ...groups.map((group) => verdictOf(group, alpha)),
    ...groups.flatMap(describeChanges),
    ...groups.flatMap(describeOtherCases),
    ...(warnings.length === 0 ? [] : ["", ...warnings.map((warning) => `Note: ${neutraliseControls(warning)}`)]),
  ];
}

/** Returns the lines that show whether the new results are accepted, and why not. */
export function describeGate({ problems }: Pick<ResultsComparison, "problems">): string[] {
  if (problems.length === 0) return ["Gate passed."];
  return ["Gate failed:", ...problems.map(({ message }) => `  ${neutraliseControls(message)}`)];
}

function nameOf({ base, current }: GroupComparison): string {
  const [left, right] = [groupName(base), groupName(current)];
  return left === right ? left : `${left} → ${right}`;
}

function rowOf(group: GroupComparison): string[] {
  const { cases, difference, difference_interval: interval, adjusted_p_value: p, cost_usd, duration_ms } = group;
  if (cases === 0) return [nameOf(group), "0", "–", "–", "–", "–", "–", "", ""];
  return [
    nameOf(group),
    String(cases),
    formatShare(group.base_pass_rate),
    formatShare(group.current_pass_rate),
    `${formatPoints(difference)} points`,
    `${formatPoints(interval.low)} to ${formatPoints(interval.high)}`,
    formatPValue(p),
    describeMeasure(cost_usd, (value) => formatMoney({ cost_usd: value })),
    describeMeasure(duration_ms, formatTime),
  ];
}

function describeMeasure(measure: MeasureComparison | undefined, format: (value: number) => string): string {
  if (measure === undefined) return "";
  const { base, current, increase } = measure;
  const percent = increase === undefined ? "" : ` (${formatPoints(increase)} %)`;
  return `${format(base)} → ${format(current)}${percent}`;
}

/** Describes the result of the comparison of pass rates in one sentence. */
function verdictOf(group: GroupComparison, alpha: number): string {
  const { cases, difference, adjusted_p_value: p, detectable_difference: detectable } = group;
  const name = neutraliseControls(nameOf(group));
  if (cases === 0) return `${name}: no case ran in both evaluations.`;
  if (p <= alpha && difference < 0) return `${name}: worse than the base, beyond chance.`;
  if (p <= alpha && difference > 0) return `${name}: better than the base, beyond chance.`;
  if (detectable === undefined) return `${name}: no change shown; too few cases to show any.`;
  const points = Math.ceil(detectable * 100);
  return `${name}: no change shown. ${plural(cases, "case")} can show changes of about ${points} points or more.`;
}

function describeChanges(group: GroupComparison): string[] {
  const { changes } = group;
  if (changes.length === 0) return [];
  const rest = changes.length > MAX_CASES ? [`  … and ${changes.length - MAX_CASES} more`] : [];
  return [
    "",
    `Changed and flaky cases of ${neutraliseControls(nameOf(group))}:`,
    ...changes.slice(0, MAX_CASES).map(lineOf),
    ...rest,
  ];
}

function lineOf({ case_id, base, current, change, is_flaky, adjusted_p_value: p }: CaseChange): string {
  const counts = `${base.passed} of ${base.runs} passed, now ${current.passed} of ${current.runs}`;
  const facts = [
    change,
    ...(is_flaky && change !== "flaky" ? ["flaky"] : []),
    ...(p < 1 ? [formatPExpression(p)] : []),
  ];
  return `  ${neutraliseControls(case_id)}: ${counts} (${facts.join(", ")})`;
}

function describeOtherCases(group: GroupComparison): string[] {
  const { missing_cases: missing, added_cases: added } = group;
  const name = neutraliseControls(nameOf(group));
  const list = (cases: readonly string[]): string => {
    const rest = cases.length > MAX_CASES ? ` and ${cases.length - MAX_CASES} more` : "";
    return `${neutraliseControls(cases.slice(0, MAX_CASES).join(", "))}${rest}`;
  };
  return [
    ...(missing.length === 0 ? [] : ["", `Only in the base of ${name}: ${list(missing)}`]),
    ...(added.length === 0 ? [] : ["", `Only in the new results of ${name}: ${list(added)}`]),
  ];
}
