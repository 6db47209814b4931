import type { Host } from "@switchyard/contracts";
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
