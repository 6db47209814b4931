/** Options of the command `replay`. */
export interface ReplayOptions {
  /** Folder to work in, in place of a worktree with the files as they are. */
  workspace?: string;
  /** Whether JSON is printed. */
  json?: boolean;
  /** Folder with the run folders. */
  state?: string;
}
