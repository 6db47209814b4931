/** Token usage and cost of one or more model calls. See unified-llm-client: usage; engine: TokenUsage. */
export interface Usage {
  /** Number of input tokens, including cache reads and writes. */
  inputTokens: number;
  /** Number of output tokens, including reasoning. */
  outputTokens: number;
  /** Sum of input and output tokens. */
  totalTokens: number;
  /** Number of output tokens spent on reasoning. */
  reasoningTokens?: number | undefined;
  /** Number of input tokens read from the provider's cache. */
  cacheReadTokens?: number | undefined;
  /** Number of input tokens written to the provider's cache. */
  cacheWriteTokens?: number | undefined;
  /** Cost in millionths of a US dollar; `undefined` if the price is unknown. */
  costMicros?: number | undefined;
  /** True if a sum includes calls of unknown price: the cost is then at least `costMicros`. `undefined` otherwise. */
  isCostPartial?: boolean | undefined;
  /** Model that was called. */
  model?: string | undefined;
  /** Duration of the call, in milliseconds. */
  latencyMs?: number | undefined;
  /** Id of the response, used to count its usage only once. `undefined` in sums. See durability promise D14. */
  responseId?: string | undefined;
}

/** Zero usage. */
export const NO_USAGE: Readonly<Usage> = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function addOptional(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}

/** Returns true if tokens were used whose price is unknown. */
function isUnpriced({ costMicros, inputTokens, outputTokens, totalTokens }: Readonly<Usage>): boolean {
  return costMicros === undefined && inputTokens + outputTokens + totalTokens > 0;
}

/** Returns true if a usage sum includes both calls with a known cost and calls without one. */
function isPartial(left: Readonly<Usage>, right: Readonly<Usage>): boolean {
  if (left.isCostPartial === true || right.isCostPartial === true) return true;
  if (left.costMicros === undefined && right.costMicros === undefined) return false;
  return isUnpriced(left) || isUnpriced(right);
}

/**
 * Returns the sum of two usages. Fields that are `undefined` in both stay `undefined`. The sum has the first usage's
 * model. `isCostPartial` is set if only part of the cost is known. See unified-llm-client: usage.
 */
export function addUsage(left: Readonly<Usage>, right: Readonly<Usage>): Usage {
  const sum: Usage = {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    totalTokens: left.totalTokens + right.totalTokens,
  };
  const reasoningTokens = addOptional(left.reasoningTokens, right.reasoningTokens);
  const cacheReadTokens = addOptional(left.cacheReadTokens, right.cacheReadTokens);
  const cacheWriteTokens = addOptional(left.cacheWriteTokens, right.cacheWriteTokens);
  const costMicros = addOptional(left.costMicros, right.costMicros);
  const latencyMs = addOptional(left.latencyMs, right.latencyMs);
  const model = left.model ?? right.model;
  if (reasoningTokens !== undefined) sum.reasoningTokens = reasoningTokens;
  if (cacheReadTokens !== undefined) sum.cacheReadTokens = cacheReadTokens;
  if (cacheWriteTokens !== undefined) sum.cacheWriteTokens = cacheWriteTokens;
  if (costMicros !== undefined) sum.costMicros = costMicros;
  if (isPartial(left, right)) sum.isCostPartial = true;
  if (latencyMs !== undefined) sum.latencyMs = latencyMs;
  if (model !== undefined) sum.model = model;
  return sum;
}
