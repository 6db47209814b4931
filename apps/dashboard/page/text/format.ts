const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a duration for people: `320 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatSpan(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ${Math.floor((ms % MINUTE_MS) / SECOND_MS)} s`;
  return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`;
}

/** Formats the time since an event: `just now`, `5 min ago`, or the date. */
export function formatAgo(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at);
  if (Number.isNaN(ms)) return "";
  if (ms < MINUTE_MS) return "just now";
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`;
  return at.slice(0, 10);
}

/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a fraction as a percentage, without decimals: `42 %`. */
export function formatShare(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}

/** Formats millionths of a US dollar as dollars. */
export function formatCost(micros: number): string {
  const dollars = micros / 1_000_000;
  return `$${dollars < 0.01 && dollars > 0 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}

/** Formats a size in bytes: `12 B`, `3.4 KB`, `5.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_024 ** 2) return `${(bytes / 1_024).toFixed(1)} KB`;
  return `${(bytes / 1_024 ** 2).toFixed(1)} MB`;
}

/** Formats the duration of a run, or the time since its start. Empty for a run that has not started. */
export function spanOf(
  { started_at, finished_at }: { started_at?: string | undefined; finished_at?: string | undefined },
  nowMs: number,
): string {
  if (started_at === undefined) return "";
  const end = finished_at === undefined ? nowMs : Date.parse(finished_at);
  return formatSpan(Math.max(0, end - Date.parse(started_at)));
}
