import { isoTime } from "@switchyard/contracts";

let stampedMs = Number.NaN;
let stamp = "";

/** Returns a time as ISO 8601. The last result is cached, because many events share a millisecond. */
export function cachedTimestamp(ms: number): string {
  if (ms !== stampedMs) {
    stamp = isoTime(ms);
    stampedMs = ms;
  }
  return stamp;
}
