/** Options of the command `replay`. */
export interface ReplayOptions {
  /** Workspace folder of the replay. Default: a temporary worktree of the current files. */
  workspace?: string;
  /** Whether to print JSON. */
  json?: boolean;
  /** Folder that stores runs. */
  state?: string;
}
