/** Maximum number of ticks after the first. */
const MOST_TICKS = 6;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Steps between ticks that people can read, in milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR_MS),
];

/** Returns the time between two ticks of an axis, in milliseconds, so that there are at most seven ticks. */
export function tickStepMs(lengthMs: number): number {
  const fitting = STEPS.find((step) => lengthMs / step <= MOST_TICKS);
  return fitting ?? Math.ceil(lengthMs / MOST_TICKS / (24 * HOUR_MS)) * 24 * HOUR_MS;
}
