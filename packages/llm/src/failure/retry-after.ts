const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Dates as in HTTP, and ISO dates. Checked because `Date.parse` accepts nearly anything. */
const DATE = /^(?:[A-Za-z]{3,9},? |\d{4}-\d{2}-\d{2})/;

/** Returns the number in a header. If a gateway added further values, returns the largest. */
function numberOf(value: string): number | undefined {
  const entries = value.split(",").map((entry) => entry.trim());
  return entries.every((entry) => NUMBER.test(entry)) ? Math.max(...entries.map(Number)) : undefined;
}

/**
 * Returns when to retry according to the provider, in milliseconds from `nowMs`. `undefined` if the response does not
 * state a time.
 */
export function retryAfterMs(headers: Pick<Headers, "get"> | undefined, nowMs: number): number | undefined {
  const milliseconds = numberOf(headers?.get("retry-after-ms") ?? "");
  if (milliseconds !== undefined) return Math.max(0, Math.round(milliseconds));
  const value = headers?.get("retry-after")?.trim() ?? "";
  const seconds = numberOf(value);
  if (seconds !== undefined) return Math.max(0, Math.round(seconds * 1000));
  const date = DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
