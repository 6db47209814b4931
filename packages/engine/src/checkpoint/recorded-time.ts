// How a time that nobody recorded is written by programs that cannot leave it out.
const NO_TIME = /^0001-01-01T00:00:00(\.0+)?Z$/;

/** A time of a checkpoint or of a caller; nothing where nobody recorded one. engine: Checkpoint.OriginalStartedAt. */
export function recordedTime(text: string | undefined): string | undefined {
  return text === undefined || text === "" || NO_TIME.test(text) ? undefined : text;
}
