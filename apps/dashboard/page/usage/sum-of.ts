import type { UsageView } from "@switchyard/contracts";
import type { AnswerUsage } from "../timeline/entry.ts";

/** Returns the number of input tokens that came from the provider's prompt cache. */
export function cachedTokensOf(usages: readonly AnswerUsage[]): number {
  return usages.reduce((sum, { usage }) => sum + (usage.cacheReadTokens ?? 0), 0);
}

/** Returns tokens and cost of a run so far: as counted by the server, otherwise the sum over its model responses. */
export function sumOf(
  usages: readonly AnswerUsage[],
  counted: UsageView | undefined,
): { readonly tokens: number; readonly costMicros: number | undefined } {
  if (counted !== undefined) return { tokens: counted.total_tokens, costMicros: counted.cost_micros };
  const costs = usages.flatMap(({ usage }) => (usage.costMicros === undefined ? [] : [usage.costMicros]));
  return {
    tokens: usages.reduce((sum, { usage }) => sum + usage.totalTokens, 0),
    costMicros: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
  };
}
