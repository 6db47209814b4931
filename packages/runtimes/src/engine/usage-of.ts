import type { Usage } from "@switchyard/contracts";
import type { TaskOutcome } from "../task/task-outcome.ts";

const MICROS = 1_000_000;

/**
 * Returns the usage in `metadata.input_tokens`, `metadata.output_tokens` and `metadata.cost_usd`; `undefined` if the provider
 * reports no tokens.
 */
export function usageOf({ metadata }: TaskOutcome): Usage | undefined {
  const { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: usd, model } = metadata;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  return {
    ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    ...(typeof usd === "number" && Number.isFinite(usd) && usd >= 0 ? { costMicros: Math.round(usd * MICROS) } : {}),
    ...(typeof model === "string" ? { model } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
