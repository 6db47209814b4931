const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Dates as HTTP has them, and as everybody else has them; `Date.parse` takes nearly anything for one. */
const DATE = /^(?:[A-Za-z]{3,9},? |\d{4}-\d{2}-\d{2})/;

/** A header that is a number; of several, as a gateway may add its own, the largest. */
function numberOf(value: string): number | undefined {
  const entries = value.split(",").map((entry) => entry.trim());
  return entries.every((entry) => NUMBER.test(entry)) ? Math.max(...entries.map(Number)) : undefined;
}

/** When the provider says to call again, in milliseconds from `nowMs`; undefined when it does not say. */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const milliseconds = numberOf(headers?.get("retry-after-ms") ?? "");
  if (milliseconds !== undefined) return Math.max(0, Math.round(milliseconds));
  const value = headers?.get("retry-after")?.trim() ?? "";
  const seconds = numberOf(value);
  if (seconds !== undefined) return Math.max(0, Math.round(seconds * 1000));
  const date = DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
