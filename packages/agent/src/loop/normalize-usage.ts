import type { ModelResponse, Usage } from "@switchyard/contracts";

const COUNTS = ["inputTokens", "outputTokens", "totalTokens"] as const;
const OPTIONAL = ["reasoningTokens", "cacheReadTokens", "cacheWriteTokens", "costMicros", "latencyMs"] as const;

/** Whether a value is an amount: neither negative nor no number at all. */
export function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

/** Name by name: it is asked of each answer, and almost always true. */
function isValidUsage(usage: Readonly<Usage>): boolean {
  const { inputTokens, outputTokens, totalTokens } = usage;
  const { reasoningTokens, cacheReadTokens, cacheWriteTokens, costMicros, latencyMs } = usage;
  return (
    isAmount(inputTokens) &&
    isAmount(outputTokens) &&
    isAmount(totalTokens) &&
    (reasoningTokens === undefined || isAmount(reasoningTokens)) &&
    (cacheReadTokens === undefined || isAmount(cacheReadTokens)) &&
    (cacheWriteTokens === undefined || isAmount(cacheWriteTokens)) &&
    (costMicros === undefined || isAmount(costMicros)) &&
    (latencyMs === undefined || isAmount(latencyMs))
  );
}

/**
 * An answer whose usage can be added up: what a server or a client says of it that is no amount would lift every limit
 * of the session, and keep its state from being read again.
 */
export function normalizeUsage(response: ModelResponse): ModelResponse {
  const { usage } = response;
  if (isValidUsage(usage)) return response;
  const sane = { ...usage };
  for (const name of COUNTS) if (!isAmount(sane[name])) sane[name] = 0;
  for (const name of OPTIONAL) if (!isAmount(sane[name])) sane[name] = undefined;
  return { ...response, usage: sane };
}
