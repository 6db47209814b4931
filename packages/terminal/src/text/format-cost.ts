import type { Usage } from "@switchyard/contracts";

function dollars(costMicros: number): string {
  if (costMicros > 0 && costMicros < 100) return "less than $0.0001";
  return `$${(costMicros / 1_000_000).toFixed(costMicros < 1_000_000 ? 4 : 2)}`;
}

/** Formats the cost of model calls. If the price is unknown, the text says so. Empty if no tokens were used. */
export function formatCost({ costMicros, isCostPartial, totalTokens }: Readonly<Usage>): string {
  if (costMicros === undefined) return totalTokens === 0 ? "" : "cost unknown";
  return isCostPartial === true ? `at least ${dollars(costMicros)}` : dollars(costMicros);
}
