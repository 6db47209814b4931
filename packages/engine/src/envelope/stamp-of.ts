import { isoTime } from "@switchyard/contracts";

let stampedMs = Number.NaN;
let stamp = "";

/** A time as ISO 8601. Much happens within one millisecond, and writing the date anew for each would cost more than it does. */
export function stampOf(ms: number): string {
  if (ms !== stampedMs) {
    stamp = isoTime(ms);
    stampedMs = ms;
  }
  return stamp;
}
