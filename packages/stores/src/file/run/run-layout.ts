import { join } from "node:path";

/** File names in a run folder. architecture: files of a run. */
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
 * Folder below the state folder with the runs' watermarks: files that record a run's last epoch and checkpoint. They
 * are not in the run folders, because a run folder may be replaced by an older copy.
 */
export const WATERMARKS_FOLDER = "watermarks";
/** Name prefix of folders of runs that are being created. */
export const NEW_PREFIX = ".new-";
/** Name prefix of folders of removed runs, whose files are being removed. */
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
