import type { Host } from "@switchyard/contracts";
import { type Budget, budgetHost, hostFuncs } from "@switchyard/engine";
import type { EarlierUsage } from "./usage-meter.ts";

/** Budget and earlier usage of a run. */
interface RunBudget {
  readonly budget: Budget;
  /** Usage of the earlier attempts. */
  readonly earlier: EarlierUsage;
  /** Called once, at the first usage of unknown cost, if the budget limits the cost. */
  onUnpriced(): Promise<void>;
}

/**
 * Wraps a host and enforces the run's budget. Usage of earlier attempts counts too. Each model response counts once.
 * engine: UsageReporter; D14.
 */
export function budgetedHost(inner: Host, { budget, earlier, onUnpriced }: RunBudget): Host {
  const limited = budgetHost({ ...budget, used: earlier })(inner);
  const counted = new Set(earlier.answers.keys());
  let isTold = budget.costMicros === undefined;
  return hostFuncs(limited, {
    reportUsage: async (usage) => {
      const { responseId, costMicros, totalTokens } = usage;
      if (responseId !== undefined && counted.has(responseId)) return;
      if (responseId !== undefined) counted.add(responseId);
      if (!isTold && costMicros === undefined && totalTokens > 0) {
        isTold = true;
        await onUnpriced();
      }
      await limited.reportUsage(usage);
    },
  });
}
