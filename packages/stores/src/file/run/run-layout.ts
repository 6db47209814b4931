import { join } from "node:path";

/** Names of what lies in a run folder. architecture: files of a run. */
export const RUN_FILES = {
  record: "run.json",
  request: "request.json",
  events: "events.jsonl",
  checkpoints: "checkpoints",
  report: "report.json",
  recording: "recording.jsonl",
  artifacts: "artifacts",
} as const;

/** Folder of the run folders below the state folder. */
export const RUNS_FOLDER = "runs";
/** Folder of the watermarks below the state folder: apart from the run folders, which may be replaced whole. */
export const WATERMARKS_FOLDER = "watermarks";
/** Beginning of the names of runs that are being made. */
export const NEW_PREFIX = ".new-";
/** Beginning of the names of runs that were removed. */
export const REMOVED_PREFIX = ".removed-";

const SEGMENT = /^([1-9]\d{0,14})\.jsonl$/;

/** Path of a log of checkpoints; a later one takes the place of all before it. */
export function segmentPath(folder: string, segment: number): string {
  return join(folder, RUN_FILES.checkpoints, `${segment}.jsonl`);
}

/** The number in the name of a log of checkpoints; nothing for other files. */
export function segmentNumber(name: string): number | undefined {
  const match = SEGMENT.exec(name);
  return match === null ? undefined : Number(match[1]);
}
