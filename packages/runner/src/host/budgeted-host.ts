import type { Host } from "@switchyard/contracts";
import { type Budget, budgetHost, hostFuncs } from "@switchyard/engine";
import type { EarlierUsage } from "./usage-meter.ts";

/** Budget and earlier usage of a run. */
interface RunBudget {
  readonly budget: Budget;
  /** Usage of the run's earlier attempts. */
  readonly earlier: EarlierUsage;
  /** Called once if the budget limits the cost and the engine reports usage of unknown cost. */
  onUnpriced(): Promise<void>;
}

/**
 * Wraps a host and enforces the run's budget. The usage of earlier attempts counts toward the budget. Each model
 * response is counted once. See engine: UsageReporter; durability promise D14.
 */
export function budgetedHost(inner: Host, { budget, earlier, onUnpriced }: RunBudget): Host {
  const limited = budgetHost({ ...budget, used: earlier })(inner);
  const counted = new Set(earlier.answers.keys());
  let isReported = budget.costMicros === undefined;
  return hostFuncs(limited, {
    reportUsage: async (usage) => {
      const { responseId, costMicros, totalTokens } = usage;
      if (responseId !== undefined && counted.has(responseId)) return;
      if (responseId !== undefined) counted.add(responseId);
      if (!isReported && costMicros === undefined && totalTokens > 0) {
        isReported = true;
        await onUnpriced();
      }
      await limited.reportUsage(usage);
    },
  });
}
