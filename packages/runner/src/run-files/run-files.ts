/** Only the owner reads what a run leaves behind. */
export const FILE_MODE = 0o600;
/** Only the owner enters the folders of a run. */
export const FOLDER_MODE = 0o700;

/** What the runner itself keeps in the folder of a run, beside what the store keeps there. architecture: files of a run. */
export const RUN_FILES = {
  /** Model calls, for a replay. */
  recording: "recording.jsonl",
  /** Outputs of tools that were too large for an event. */
  outputs: "outputs",
  /** What the result declared. */
  artifacts: "artifacts",
  /** Changes to a workspace that is gone with the run. */
  changes: "changes.patch",
  /** Changes to the workspace byte by byte, where those in the report are not and no secret is in them; to take them back. */
  exactChanges: "changes.exact.patch",
  /** What `undo` needs beside the changes: permissions, folders, branches. */
  undo: "undo.json",
  /** The repository's index before the run, if the run staged something. */
  index: "index.before",
  /** Written when the run's changes were reverted, with the time. */
  undone: "undone.json",
  /** What is thrown away when the run is over for good. */
  scratch: "scratch",
} as const;
