import type { Host } from "@switchyard/contracts";
import { hostFuncs } from "@switchyard/engine";
import type { RunBudget } from "@switchyard/stores/budget";
import type { EarlierUsage } from "./usage-meter.ts";

/** Shared budget of a run, and what the run's earlier attempts have used. */
interface SharedBudgetOfRun {
  readonly budget: RunBudget;
  /** Usage of the run's earlier attempts. */
  readonly earlier: EarlierUsage;
}

/**
 * Wraps a host and counts reported usage in the shared budget of the run, unless the model calls of the run were reserved
 * there. Each model response is counted once. See engine: UsageReporter.
 */
export function sharedBudgetHost(inner: Host, { budget, earlier }: SharedBudgetOfRun): Host {
  const counted = new Set(earlier.answers.keys());
  return hostFuncs(inner, {
    reportUsage: async (usage) => {
      const { responseId } = usage;
      const isNew = responseId === undefined || !counted.has(responseId);
      if (responseId !== undefined) counted.add(responseId);
      const counting = isNew ? budget.report(usage) : undefined;
      // The usage of the run is counted in both budgets, also if one of them is used up.
      await Promise.all([inner.reportUsage(usage), counting]);
    },
  });
}
