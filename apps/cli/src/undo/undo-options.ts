/** Options of the command `undo`. */
export interface UndoOptions {
  /** Whether to print the changes that would be reverted, without changing anything. */
  dryRun?: boolean;
  /** Whether to restore branches, tags, HEAD and staged changes as well. */
  commits?: boolean;
  /** Whether to restore as many files as possible if some cannot be restored. */
  partial?: boolean;
  /** Whether to print JSON. */
  json?: boolean;
  /** Folder that stores runs. */
  state?: string;
}
