/** Options of the command `undo`. */
export interface UndoOptions {
  /** Whether it is only said what would happen. */
  dryRun?: boolean;
  /** Whether branches, HEAD and staged changes are restored as well. */
  commits?: boolean;
  /** Whether files that can be restored are, although others cannot. */
  partial?: boolean;
  /** Whether JSON is printed. */
  json?: boolean;
  /** Folder with the run folders. */
  state?: string;
}
