/** Options of the command `undo`. */
export interface UndoOptions {
  /** Whether to print what would be reverted without changing anything. */
  dryRun?: boolean;
  /** Whether to restore branches, tags, HEAD and staged changes as well. */
  commits?: boolean;
  /** Whether to restore the files that can be restored even if other files cannot. */
  partial?: boolean;
  /** Whether to print JSON. */
  json?: boolean;
  /** Folder that stores runs. */
  state?: string;
}
