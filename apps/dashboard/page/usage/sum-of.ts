import type { UsageView } from "@switchyard/contracts";
import type { AnswerUsage } from "../timeline/entry.ts";

/** Input tokens of a run that came from the provider's prompt cache. */
export function cachedTokensOf(usages: readonly AnswerUsage[]): number {
  return usages.reduce((sum, { usage }) => sum + (usage.cacheReadTokens ?? 0), 0);
}

/** Tokens and cost of a run so far: as the server counted them, else the sum of its answers. */
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
