import type { ModelBudgetSource } from "@switchyard/contracts";
import type { Budget } from "@switchyard/engine";
import type { UsageMeter } from "../host/usage-meter.ts";

function left(limit: number | undefined, used: number): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit - used);
}

/** Returns the budget of a run minus the usage of all its attempts so far. */
export function remainingBudgetOf(budget: Budget, meter: Pick<UsageMeter, "total" | "modelCalls">): ModelBudgetSource {
  return {
    remaining() {
      const { totalTokens, costMicros = 0 } = meter.total();
      return {
        calls: left(budget.modelCalls, meter.modelCalls()),
        tokens: left(budget.totalTokens, totalTokens),
        costMicros: left(budget.costMicros, costMicros),
      };
    },
  };
}
