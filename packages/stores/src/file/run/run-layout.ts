import { join } from "node:path";

/** File names in a run folder. See architecture: a run on disk. */
export const RUN_FILES = {
  record: "run.json",
  request: "request.json",
  events: "events.jsonl",
  checkpoints: "checkpoints",
  report: "report.json",
  recording: "recording.jsonl",
  artifacts: "artifacts",
} as const;

/** Folder below the state folder that contains the run folders. */
export const RUNS_FOLDER = "runs";
/**
 * Folder, below the state folder, that contains the watermark file of each run: the number of the last writer (epoch)
 * and of the last checkpoint. The files are not in the run folders, because a run folder may be replaced by an older
 * copy.
 */
export const WATERMARKS_FOLDER = "watermarks";
/** Prefix of the folder name of a run that is being created. */
export const NEW_PREFIX = ".new-";
/** Prefix of the folder name of a removed run whose files are still being removed. */
export const REMOVED_PREFIX = ".removed-";

const SEGMENT = /^([1-9]\d{0,14})\.jsonl$/;

/** Returns the path of a checkpoint log. A log with a higher number replaces all earlier logs. */
export function segmentPath(folder: string, segment: number): string {
  return join(folder, RUN_FILES.checkpoints, `${segment}.jsonl`);
}

/** Returns the number in the name of a checkpoint log; `undefined` for other files. */
export function segmentNumber(name: string): number | undefined {
  const match = SEGMENT.exec(name);
  return match === null ? undefined : Number(match[1]);
}
