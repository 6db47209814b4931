/** When the provider says to call again, in milliseconds from `nowMs`; undefined when it does not say. */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const exact = headers?.get("retry-after-ms");
  if (exact !== null && exact !== undefined && exact.trim() !== "") {
    const milliseconds = Number(exact);
    if (Number.isFinite(milliseconds)) return Math.max(0, Math.round(milliseconds));
  }
  const value = headers?.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
