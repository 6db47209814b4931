import type { LanguageModelV3Usage, SharedV3Headers, SharedV3Warning } from "@ai-sdk/provider";
import type { RateLimitInfo, Usage } from "@switchyard/contracts";

/** Converts the provider's token counts. Missing counts are zero. */
export function toUsage(usage: LanguageModelV3Usage | undefined, call: { model: string; latencyMs: number }): Usage {
  const inputTokens = usage?.inputTokens.total ?? 0;
  const outputTokens = usage?.outputTokens.total ?? 0;
  const { model, latencyMs } = call;
  const counted: Usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, model, latencyMs };
  const reasoningTokens = usage?.outputTokens.reasoning;
  const cacheReadTokens = usage?.inputTokens.cacheRead;
  const cacheWriteTokens = usage?.inputTokens.cacheWrite;
  if (reasoningTokens !== undefined) counted.reasoningTokens = reasoningTokens;
  if (cacheReadTokens !== undefined) counted.cacheReadTokens = cacheReadTokens;
  if (cacheWriteTokens !== undefined) counted.cacheWriteTokens = cacheWriteTokens;
  return counted;
}

/** Formats a warning as one sentence. */
export function toWarning(warning: SharedV3Warning): string {
  if (warning.type === "other") return warning.message;
  if (warning.details !== undefined) return warning.details;
  return warning.type === "unsupported" ? `${warning.feature} is not supported` : `${warning.feature} was changed`;
}

const LIMIT_REQUESTS = ["x-ratelimit-limit-requests", "anthropic-ratelimit-requests-limit"];
const LIMIT_TOKENS = ["x-ratelimit-limit-tokens", "anthropic-ratelimit-tokens-limit"];
const REMAINING_REQUESTS = ["x-ratelimit-remaining-requests", "anthropic-ratelimit-requests-remaining"];
const REMAINING_TOKENS = ["x-ratelimit-remaining-tokens", "anthropic-ratelimit-tokens-remaining"];
const RESET = ["x-ratelimit-reset-requests", "anthropic-ratelimit-requests-reset"];

function reportsLimits(headers: SharedV3Headers): boolean {
  for (const name in headers) if (name.includes("ratelimit")) return true;
  return false;
}

/** Parses rate limits from response headers with lower-case names. */
export function toRateLimit(headers: SharedV3Headers | undefined): RateLimitInfo | undefined {
  if (headers === undefined || !reportsLimits(headers)) return undefined;
  const first = (names: readonly string[]): string | undefined => {
    for (const name of names) if (headers[name]) return headers[name];
    return undefined;
  };
  const count = (value: string | undefined): number | undefined => {
    const number = Number(value);
    return value === undefined || !Number.isFinite(number) ? undefined : number;
  };
  const found: RateLimitInfo = {};
  const set = (name: Exclude<keyof RateLimitInfo, "resetAt">, headerNames: readonly string[]): void => {
    const value = count(first(headerNames));
    if (value !== undefined) found[name] = value;
  };
  set("requestsLimit", LIMIT_REQUESTS);
  set("tokensLimit", LIMIT_TOKENS);
  set("requestsRemaining", REMAINING_REQUESTS);
  set("tokensRemaining", REMAINING_TOKENS);
  const resetAt = first(RESET);
  if (resetAt !== undefined) found.resetAt = resetAt;
  return Object.keys(found).length === 0 ? undefined : found;
}
