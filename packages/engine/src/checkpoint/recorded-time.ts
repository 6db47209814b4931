// Zero value of a time, which some programming languages write for a missing time.
const NO_TIME = /^0001-01-01T00:00:00(\.0+)?Z$/;

/**
 * Returns a recorded time; `undefined` if the text is missing or is the zero value of a time. See engine:
 * Checkpoint.OriginalStartedAt.
 */
export function recordedTime(text: string | undefined): string | undefined {
  return text === undefined || text === "" || NO_TIME.test(text) ? undefined : text;
}
