import type { ModelResponse, Usage } from "@switchyard/contracts";

const COUNTS = ["inputTokens", "outputTokens", "totalTokens"] as const;
const OPTIONAL = ["reasoningTokens", "cacheReadTokens", "cacheWriteTokens", "costMicros", "latencyMs"] as const;

/** Returns true for a finite number of 0 or more. */
export function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

/**
 * Returns whether usage is valid. Checks each field by name for speed, because every response is checked and almost
 * always valid.
 */
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
 * Returns a response with valid usage. Invalid numbers from a server or client would disable all limits and make the
 * stored state unreadable.
 */
export function normalizeUsage(response: ModelResponse): ModelResponse {
  const { usage } = response;
  if (isValidUsage(usage)) return response;
  const sane = { ...usage };
  for (const name of COUNTS) if (!isAmount(sane[name])) sane[name] = 0;
  for (const name of OPTIONAL) if (!isAmount(sane[name])) sane[name] = undefined;
  return { ...response, usage: sane };
}
