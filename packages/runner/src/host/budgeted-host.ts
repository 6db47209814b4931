import type { Host } from "@switchyard/contracts";
import { type Budget, budgetHost, hostFuncs } from "@switchyard/engine";
import type { EarlierUsage } from "./usage-meter.ts";

/** What a run may use, and what it has. */
interface RunBudget {
  readonly budget: Budget;
  /** What earlier attempts used. */
  readonly earlier: EarlierUsage;
  /** Says that a cost is not known that is limited; called once. */
  onUnpriced(): Promise<void>;
}

/**
 * A host that lets a run use no more than its budget, earlier attempts included. An answer that was counted already
 * costs nothing. engine: UsageReporter; D14.
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
