import type { Usage } from "@switchyard/contracts";
import type { TaskOutcome } from "../task/task-outcome.ts";

/**
 * Returns the usage in `metadata.input_tokens` and `metadata.output_tokens`; `undefined` if the provider reports none.
 */
export function usageOf({ metadata }: TaskOutcome): Usage | undefined {
  const { input_tokens: inputTokens, output_tokens: outputTokens, model } = metadata;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  return typeof model === "string" ? { ...usage, model } : usage;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
