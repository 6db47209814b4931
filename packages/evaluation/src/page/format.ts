import type { TrialUsage } from "../results/trial-result.ts";
import { hasTokens, tokensOf } from "../results/usage.ts";
import type { Interval } from "../statistics/index.ts";

/** Text shown for unknown values. It must not look like 0. */
const UNKNOWN = "unknown";

/** Formats a duration in milliseconds. */
export function formatTime(durationMs: number | undefined): string {
  if (durationMs === undefined) return UNKNOWN;
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = durationMs / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const roundedSeconds = Math.round(seconds);
  return `${Math.floor(roundedSeconds / 60)} min ${roundedSeconds % 60} s`;
}

/** Formats a token count, prefixed with `at least` if tokens of some calls are unknown. */
export function formatTokens(usage: TrialUsage): string {
  if (!hasTokens(usage)) return UNKNOWN;
  return `${usage.are_tokens_partial === true ? "at least " : ""}${formatCount(tokensOf(usage))}`;
}

/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** Formats a cost, prefixed with `at least` if the cost of some calls is unknown. */
export function formatMoney({ cost_usd: cost, is_cost_partial: isPartial }: TrialUsage): string {
  if (cost === undefined) return UNKNOWN;
  const dollars = cost > 0 && cost < 0.0001 ? "less than $0.0001" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
  return isPartial === true ? `at least ${dollars}` : dollars;
}

/** Formats a fraction from 0 to 1 as a percentage. */
export function formatShare(share: number | undefined): string {
  return share === undefined ? "–" : `${Math.round(share * 100)} %`;
}

/** Formats an interval of a fraction from 0 to 1 as percentages, for example `12–40 %`. */
export function formatInterval({ low, high }: Interval): string {
  return `${Math.round(low * 100)}–${Math.round(high * 100)} %`;
}

/** Formats a difference of two fractions in percentage points, with its sign, for example `+12`. */
export function formatPoints(difference: number): string {
  const points = Math.round(difference * 100);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** Formats a p-value. */
export function formatPValue(pValue: number): string {
  return pValue < 0.001 ? "< 0.001" : pValue.toFixed(pValue < 0.1 ? 3 : 2);
}

/** Formats a p-value as an expression, for example `p = 0.008` or `p < 0.001`. */
export function formatPExpression(pValue: number): string {
  const text = formatPValue(pValue);
  return text.startsWith("<") ? `p ${text}` : `p = ${text}`;
}

/** Formats an ISO 8601 time in UTC, for example `2026-03-01 12:00 UTC`. An invalid time is returned unchanged. */
export function formatInstant(time: string): string {
  const matched = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/u.exec(time);
  return matched === null ? time : `${matched[1]} ${matched[2]} UTC`;
}
