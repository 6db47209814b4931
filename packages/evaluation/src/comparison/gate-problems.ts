import { groupName } from "../page/charts.ts";
import { formatMoney, formatPExpression, formatPoints, formatTime } from "../page/format.ts";
import type { ComparisonLimits, GateProblem, GroupComparison, MeasureComparison } from "./results-comparison.ts";

/** Maximum number of missing cases that a message names. */
const MAX_NAMED = 5;

/**
 * Returns the reasons why the new results are not accepted: a regression beyond chance, an exceeded limit, or missing
 * cases.
 */
export function gateProblemsOf(
  groups: readonly GroupComparison[],
  limits: ComparisonLimits & { readonly alpha: number },
): GateProblem[] {
  return groups.flatMap((group) => [
    ...passRateProblems(group, limits.alpha),
    ...(limits.maxCostIncrease === undefined || group.cases === 0 ? [] : costProblems(group, limits.maxCostIncrease)),
    ...(limits.maxTimeIncrease === undefined || group.cases === 0 ? [] : timeProblems(group, limits.maxTimeIncrease)),
    ...(limits.allowMissing === true ? [] : missingProblems(group)),
  ]);
}

function passRateProblems(group: GroupComparison, alpha: number): GateProblem[] {
  const { difference, adjusted_p_value: p, current } = group;
  if (difference >= 0 || p > alpha) return [];
  const message = `The pass rate of ${groupName(current)} fell by ${formatPoints(-difference).slice(1)} points (${formatPExpression(p)}).`;
  return [{ kind: "pass_rate", group: current, message }];
}

function costProblems({ current, cost_usd: cost }: GroupComparison, limit: number): GateProblem[] {
  if (cost === undefined) {
    const message = `The cost of some runs of ${groupName(current)} is unknown, so its limit cannot be checked.`;
    return [{ kind: "cost", group: current, message }];
  }
  if (!isExceeded(cost, limit)) return [];
  const [before, after] = [formatMoney({ cost_usd: cost.base }), formatMoney({ cost_usd: cost.current })];
  const message = `A run of ${groupName(current)} costs ${after} instead of ${before}, more than ${percentOf(limit)} above the base.`;
  return [{ kind: "cost", group: current, message }];
}

function timeProblems({ current, duration_ms: time }: GroupComparison, limit: number): GateProblem[] {
  if (time === undefined) {
    const message = `The duration of the runs of ${groupName(current)} is unknown, so its limit cannot be checked.`;
    return [{ kind: "time", group: current, message }];
  }
  if (!isExceeded(time, limit)) return [];
  const message = `A run of ${groupName(current)} takes ${formatTime(time.current)} instead of ${formatTime(time.base)}, more than ${percentOf(limit)} above the base.`;
  return [{ kind: "time", group: current, message }];
}

function isExceeded({ base, current }: MeasureComparison, limit: number): boolean {
  return current > base * (1 + limit);
}

function percentOf(limit: number): string {
  return `${Math.round(limit * 1_000) / 10} %`;
}

function missingProblems({ current, missing_cases: missing }: GroupComparison): GateProblem[] {
  if (missing.length === 0) return [];
  const named = missing.slice(0, MAX_NAMED).join(", ");
  const rest = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "";
  const message = `The new results of ${groupName(current)} lack cases of the base: ${named}${rest}.`;
  return [{ kind: "missing_cases", group: current, message }];
}
