import type { EvalResults } from "../results/eval-results.ts";
import type { EvalComparison, GroupName } from "../results/eval-statistics.ts";
import { groupName } from "./charts.ts";
import { formatInterval, formatPExpression, formatShare } from "./format.ts";
import { isDifferent } from "./render-statistics.ts";

/** Returns the sentence that says which engine is best, and whether that is more than chance. `undefined` without runs. */
export function findingOf({ groups, statistics }: Pick<EvalResults, "groups" | "statistics">): string | undefined {
  const ranked = groups
    .filter(({ pass_rate }) => pass_rate !== undefined)
    .toSorted((left, right) => (right.pass_rate ?? 0) - (left.pass_rate ?? 0));
  const [best, second] = ranked;
  if (best === undefined) return undefined;
  const interval = best.pass_rate_interval;
  const range = interval === undefined ? "" : ` (95 % interval ${formatInterval(interval)})`;
  const rate = `${groupName(best)} passed ${formatShare(best.pass_rate)} of its runs${range}`;
  if (second === undefined) return `${rate}.`;
  const comparison = statistics.comparisons.find((one) => isPair(one, best, second));
  if (comparison === undefined) return `${rate}.`;
  const points = Math.round(Math.abs(comparison.difference) * 100);
  const pText = formatPExpression(comparison.adjusted_p_value);
  if (isDifferent(comparison)) return `${rate}, ${points} points more than ${groupName(second)} (${pText}).`;
  return `${rate}, and ${groupName(second)} ${formatShare(second.pass_rate)}. No difference beyond chance is shown (${pText}).`;
}

function isPair({ left, right }: EvalComparison, one: GroupName, other: GroupName): boolean {
  const names = [groupName(left), groupName(right)];
  return names.includes(groupName(one)) && names.includes(groupName(other));
}
