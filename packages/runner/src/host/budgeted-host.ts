import { EngineError, type Host } from "@switchyard/contracts";
import { type Budget, budgetHost, hostFuncs } from "@switchyard/engine";
import type { EarlierUsage } from "./usage-meter.ts";

/**
 * A host that lets a run use no more than its budget, earlier attempts included. An answer that was counted already
 * costs nothing. engine: UsageReporter; D14.
 */
export function budgetedHost(inner: Host, budget: Budget, earlier: EarlierUsage): Host {
  const limited = budgetHost({ ...budget, used: earlier })(inner);
  const counted = new Set(earlier.answers.keys());
  return hostFuncs(limited, {
    reportUsage: async (usage) => {
      const { responseId } = usage;
      if (responseId !== undefined && counted.has(responseId)) return;
      if (responseId !== undefined) counted.add(responseId);
      await limited.reportUsage(usage);
    },
  });
}

/** Refuses to go on with a run that may make no further model call. Throws `budget.exceeded`. */
export function assertBudgetLeft(budget: Budget, { usage, modelCalls }: EarlierUsage): void {
  const counted = [
    { name: "tokens", used: usage.totalTokens, limit: budget.totalTokens },
    { name: "cost in millionths of a US dollar", used: usage.costMicros ?? 0, limit: budget.costMicros },
    { name: "model calls", used: modelCalls, limit: budget.modelCalls },
  ];
  for (const { name, used, limit } of counted) {
    if (limit !== undefined && used >= limit) throw new EngineError("budget.exceeded", { budget: name, used, limit });
  }
}
