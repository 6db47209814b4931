import type { Usage } from "@switchyard/contracts";
import type { JSX } from "preact";
import { formatCost, formatCount, formatShare } from "../text/format.ts";

/** Tokens and cost of a turn, with the share of input tokens that came from the provider's cache. */
export function TurnUsage({ usage }: { usage: Usage }): JSX.Element {
  const { inputTokens, outputTokens, cacheReadTokens, costMicros } = usage;
  const cached = cacheReadTokens === undefined || inputTokens === 0 ? undefined : cacheReadTokens / inputTokens;
  return (
    <span class="turn-usage">
      {formatCount(inputTokens)} in{cached === undefined ? "" : ` (${formatShare(cached)} cached)`} ·{" "}
      {formatCount(outputTokens)} out
      {costMicros === undefined ? "" : ` · ${formatCost(costMicros)}`}
    </span>
  );
}
