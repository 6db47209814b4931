import type { Usage } from "../model/usage.ts";

/** Token usage and cost of a run, as stored in records and returned by the runs API. */
export interface UsageView {
  /** Number of input tokens, including cache reads. */
  input_tokens: number;
  /** Number of output tokens. */
  output_tokens: number;
  /** Sum of input and output tokens. */
  total_tokens: number;
  /** Number of input tokens read from the provider's cache; `undefined` if the engine does not report it. */
  cache_read_tokens?: number | undefined;
  /** Cost in millionths of a US dollar; `undefined` if the price is unknown. */
  cost_micros?: number | undefined;
}

/** Converts token usage to the format of records and of the runs API. */
export function toUsageView(usage: Readonly<Usage>): UsageView {
  const { inputTokens, outputTokens, totalTokens, cacheReadTokens, costMicros } = usage;
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens },
    ...(cacheReadTokens === undefined ? {} : { cache_read_tokens: cacheReadTokens }),
    ...(costMicros === undefined ? {} : { cost_micros: costMicros }),
  };
}
