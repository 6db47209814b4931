/** Permission mode of files: only the owner can read and write. */
export const FILE_MODE = 0o600;
/** Permission mode of folders: only the owner has access. */
export const FOLDER_MODE = 0o700;

/**
 * Files that the runner stores in a run folder, in addition to the files of the run store. See architecture: a run on
 * disk.
 */
export const RUN_FILES = {
  /** Recorded model calls, for replays. */
  recording: "recording.jsonl",
  /** Tool outputs that are too large for an event. */
  outputs: "outputs",
  /** Archived artifacts of the result. */
  artifacts: "artifacts",
  /** Patch with the run's changes. Stored if the workspace is temporary and is deleted when the run ends. */
  changes: "changes.patch",
  /**
   * Byte-exact changes for `undo`. Written if the diff in the report is not exact and the changes contain no secret.
   */
  exactChanges: "changes.exact.patch",
  /** Data that `undo` needs in addition to the diff: permissions, folders, branches. */
  undo: "undo.json",
  /** Git index before the run. Written only if the run changed the index. */
  index: "index.before",
  /** Written when the run's changes are reverted; contains the time of the revert. */
  undone: "undone.json",
  /** Temporary files, deleted when the run has ended and cannot be resumed. */
  scratch: "scratch",
} as const;
