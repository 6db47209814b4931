import { neutraliseControls, plural, renderTable } from "@switchyard/terminal";
import { groupName } from "../page/charts.ts";
import { formatPoints, formatPValue } from "../page/format.ts";
import { verdictOf } from "../page/render-statistics.ts";
import type { SequentialResult } from "../results/eval-results.ts";
import type { EvalComparison, EvalStatistics, FlakyCase } from "../results/eval-statistics.ts";

/** Maximum numbers of comparisons and of flaky cases that are printed. The report lists all of them. */
const [MAX_LINES, MAX_FLAKY] = [10, 5];
const HEADINGS = ["COMPARISON", "DIFFERENCE", "95 % INTERVAL", "P-VALUE", "VERDICT"];

/** Returns the lines about comparisons of engines and about flaky cases, each part followed by an empty line. */
export function describeStatistics({ comparisons, flaky_cases }: EvalStatistics): string[] {
  const rows = comparisons.slice(0, MAX_LINES).map(rowOf);
  const table = rows.length === 0 ? [] : [...renderTable([HEADINGS, ...rows]), ...restOf(comparisons, MAX_LINES), ""];
  const flaky = flaky_cases.slice(0, MAX_FLAKY).map(lineOf);
  return [...table, ...(flaky.length === 0 ? [] : ["Flaky cases:", ...flaky, ...restOf(flaky_cases, MAX_FLAKY), ""])];
}

function rowOf(comparison: EvalComparison): string[] {
  const { left, right, difference, difference_interval: interval, adjusted_p_value: p } = comparison;
  return [
    `${groupName(left)} – ${groupName(right)}`,
    `${formatPoints(difference)} points`,
    `${formatPoints(interval.low)} to ${formatPoints(interval.high)}`,
    formatPValue(p),
    verdictOf(comparison),
  ];
}

function lineOf({ case_id, passed, runs, ...group }: FlakyCase): string {
  return `  ${neutraliseControls(`${case_id} · ${groupName(group)}`)}: ${passed} of ${runs} runs passed`;
}

function restOf(items: readonly unknown[], shown: number): string[] {
  return items.length <= shown ? [] : [`  … and ${items.length - shown} more in the report`];
}

/** Returns the line about a comparison that could stop early. */
export function describeSequential(sequential: SequentialResult | undefined): string[] {
  if (sequential === undefined) return [];
  const { decision, cases, planned_cases } = sequential;
  const after = `after ${cases} of ${plural(planned_cases, "case")}`;
  switch (decision) {
    case "different":
      return [`Sequential test: the engines differ, ${after}.`, ""];
    case "not_different":
      return [`Sequential test: no difference found, ${after}.`, ""];
    default:
      return ["Sequential test: stopped before a decision.", ""];
  }
}
