/** Tokens and cost of one or more model calls. unified-llm-client: usage; engine: TokenUsage. */
export interface Usage {
  /** Tokens that went in, cache reads and writes included. */
  inputTokens: number;
  /** Tokens that came out, reasoning included. */
  outputTokens: number;
  /** Sum of both. */
  totalTokens: number;
  /** Part of the output that was reasoning. */
  reasoningTokens?: number | undefined;
  /** Part of the input that came from the provider's cache. */
  cacheReadTokens?: number | undefined;
  /** Part of the input that was written to the provider's cache. */
  cacheWriteTokens?: number | undefined;
  /** Cost in millionths of a US dollar; absent when the price is unknown. */
  costMicros?: number | undefined;
  /** Whether calls of an unknown price are part of a sum, which then cost at least `costMicros`; absent when not. */
  isCostPartial?: boolean | undefined;
  /** Model that was called. */
  model?: string | undefined;
  /** Time the call took, in milliseconds. */
  latencyMs?: number | undefined;
  /** Id of the one answer this is the usage of, so that nobody counts it twice; absent in sums. D14. */
  responseId?: string | undefined;
}

/** No tokens at all. */
export const NO_USAGE: Readonly<Usage> = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function addOptional(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}

/** Tokens whose price nobody knows. */
function isUnpriced({ costMicros, inputTokens, outputTokens, totalTokens }: Readonly<Usage>): boolean {
  return costMicros === undefined && inputTokens + outputTokens + totalTokens > 0;
}

/** A cost that is known and one that is not make a sum that is known in part. */
function isPartial(left: Readonly<Usage>, right: Readonly<Usage>): boolean {
  if (left.isCostPartial === true || right.isCostPartial === true) return true;
  if (left.costMicros === undefined && right.costMicros === undefined) return false;
  return isUnpriced(left) || isUnpriced(right);
}

/**
 * Sum of two usages: absent + absent stays absent; the left model wins; a sum that holds known and unknown costs says
 * so (`isCostPartial`). unified-llm-client: usage.
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
