import type { Host } from "@switchyard/contracts";
import { hostFuncs } from "@switchyard/engine";
import type { RunBudget } from "@switchyard/stores/budget";
import { type EarlierUsage, toUsage } from "./usage-meter.ts";

/** Shared budget of a run, and what the run's earlier attempts have used. */
interface SharedBudgetOfRun {
  readonly budget: RunBudget;
  /** Usage of the run's earlier attempts. */
  readonly earlier: EarlierUsage;
  /** Called once if the budget limits the cost and the engine reports usage of unknown cost. */
  onUnpriced(): Promise<void>;
}

/**
 * Wraps a host and counts the usage that the engine reports in the run's shared budget. Model calls that were reserved
 * in the budget are already counted there, and are skipped. Each model response is counted once. See engine:
 * UsageReporter.
 */
export function sharedBudgetHost(inner: Host, { budget, earlier, onUnpriced }: SharedBudgetOfRun): Host {
  const counted = new Set(earlier.answers.keys());
  let isWarned = !budget.limitsCost;
  return hostFuncs(inner, {
    reportUsage: async (usage) => {
      const { responseId } = usage;
      const isNew = responseId === undefined || !counted.has(responseId);
      if (responseId !== undefined) counted.add(responseId);
      // The engine is untrusted, and so are the numbers that it reports.
      const clean = toUsage(usage);
      if (!isWarned && clean.costMicros === undefined && clean.totalTokens > 0) {
        isWarned = true;
        await onUnpriced();
      }
      const counting = isNew ? budget.report(clean) : undefined;
      // The usage of the run is counted in both budgets, also if one of them is used up.
      await Promise.all([inner.reportUsage(usage), counting]);
    },
  });
}
