import type { SessionReport, Usage } from "@switchyard/contracts";
import type { TrialUsage } from "./trial-result.ts";

const MICROS = 1_000_000;

/** Returns the usage of a session. Prefers the usage that the host counted over the usage that the engine reported. */
export function usageOfReport({ usage, result }: Pick<SessionReport, "usage" | "result">): TrialUsage {
  if (usage.totalTokens > 0) return toTrialUsage(usage);
  return {
    ...(usage.costMicros === undefined ? {} : { cost_usd: usage.costMicros / MICROS }),
    ...(result?.input_tokens === undefined ? {} : { input_tokens: result.input_tokens }),
    ...(result?.output_tokens === undefined ? {} : { output_tokens: result.output_tokens }),
  };
}

/** Converts the usage that the host counted to the format of trial results. */
export function toTrialUsage({ inputTokens, outputTokens, costMicros, isCostPartial }: Readonly<Usage>): TrialUsage {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(costMicros === undefined ? {} : { cost_usd: costMicros / MICROS }),
    ...(isCostPartial === true ? { is_cost_partial: true } : {}),
  };
}

/** True if any token count is known. */
export function hasTokens({ input_tokens, output_tokens }: TrialUsage): boolean {
  return input_tokens !== undefined || output_tokens !== undefined;
}

/** Returns the sum of the known input and output tokens. */
export function tokensOf({ input_tokens = 0, output_tokens = 0 }: TrialUsage): number {
  return input_tokens + output_tokens;
}

/**
 * Sums usages. A value that is unknown in all usages stays absent. If a value is unknown in only some usages, the sum
 * is marked as partial.
 */
export function sumUsage(usages: readonly TrialUsage[]): TrialUsage {
  const input = sumOf(usages.map(({ input_tokens }) => input_tokens));
  const output = sumOf(usages.map(({ output_tokens }) => output_tokens));
  const cost = sumOf(usages.map(({ cost_usd }) => cost_usd));
  const isCostPartial = usages.some((usage) => usage.is_cost_partial === true || usage.cost_usd === undefined);
  const areTokensPartial = usages.some((usage) => usage.are_tokens_partial === true || !hasTokens(usage));
  const isKnown = input !== undefined || output !== undefined;
  return {
    ...(input === undefined ? {} : { input_tokens: input }),
    ...(output === undefined ? {} : { output_tokens: output }),
    ...(isKnown && areTokensPartial ? { are_tokens_partial: true } : {}),
    ...(cost === undefined ? {} : { cost_usd: cost }),
    ...(cost !== undefined && isCostPartial ? { is_cost_partial: true } : {}),
  };
}

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
