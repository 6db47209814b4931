import type { TrialUsage } from "../results/trial-result.ts";
import { hasTokens, tokensOf } from "../results/usage.ts";

/** What stands where nobody knows: never a 0. */
const UNKNOWN = "unknown";

/** Milliseconds for people. */
export function formatTime(durationMs: number | undefined): string {
  if (durationMs === undefined) return UNKNOWN;
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = durationMs / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A sum of tokens for people; `at least` where a part of it is not known. */
export function formatTokens(usage: TrialUsage): string {
  if (!hasTokens(usage)) return UNKNOWN;
  return `${usage.are_tokens_partial === true ? "at least " : ""}${formatCount(tokensOf(usage))}`;
}

/** A number with its thousands set apart. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** What something cost, for people; `at least` where a part of it is not known. */
export function formatMoney({ cost_usd: cost, is_cost_partial: isPartial }: TrialUsage): string {
  if (cost === undefined) return UNKNOWN;
  const dollars = cost > 0 && cost < 0.0001 ? "less than $0.0001" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
  return isPartial === true ? `at least ${dollars}` : dollars;
}

/** A share of one as a percentage. */
export function formatShare(share: number | undefined): string {
  return share === undefined ? "–" : `${Math.round(share * 100)} %`;
}
