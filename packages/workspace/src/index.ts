// Versions of the files that a run changes: snapshots and their diffs, undo, git worktrees, workspace locks.

export { applyFileChanges, type ReadContent } from "./capture/apply-file-changes.ts";
export { type ChangeTracker, createChangeTracker, type StoreContent } from "./capture/change-tracker.ts";
export { type ChangedFile, type FileChanges, parseFileChanges } from "./capture/file-changes.ts";
export {
  CaptureLimit,
  type FileList,
  type ListedFile,
  listFiles,
  parseFileList,
  renderFileList,
} from "./capture/list-files.ts";
export type { ModeChange, UndoRecord } from "./diff/undo-record.ts";
export type { WorkspaceChanges } from "./diff/workspace-changes.ts";
export { NO_CHANGES } from "./diff/workspace-changes.ts";
export type { WorkspaceLockOptions } from "./lock/lock-workspace.ts";
export { lockWorkspace } from "./lock/lock-workspace.ts";
export { type FileLockWait, withFileLock } from "./lock/with-file-lock.ts";
export type { BytePath } from "./restore/byte-path.ts";
export type { RestoreOptions } from "./restore/restore-changes.ts";
export { RestoreRefusal, restoreChanges } from "./restore/restore-changes.ts";
export type { ReferenceRestoreOptions } from "./restore/restore-references.ts";
export { restoreReferences } from "./restore/restore-references.ts";
export { isTrivial, parseUndoFile, toUndoFile, type UndoFile } from "./restore/undo-file.ts";
export { applyFolderOf } from "./snapshot/apply-folder.ts";
export type { TemporarySnapshotOptions } from "./snapshot/temporary-snapshot.ts";
export { takeTemporarySnapshot } from "./snapshot/temporary-snapshot.ts";
export type { UncommittedOptions } from "./snapshot/uncommitted-changes.ts";
export { readUncommitted } from "./snapshot/uncommitted-changes.ts";
export type { ChangesLocation, SnapshotOptions, WorkspaceSnapshot } from "./snapshot/workspace-snapshot.ts";
export { locateChanges, reopenSnapshot, takeSnapshot } from "./snapshot/workspace-snapshot.ts";
export type { CheckOutOptions, GitCredential } from "./source/check-out-source.ts";
export { checkOutSource } from "./source/check-out-source.ts";
export type { Worktree, WorktreeChoice } from "./worktree/open-worktree.ts";
export { openWorktree, variablesOfFolder } from "./worktree/open-worktree.ts";
export type { Git, GitFolderOptions, GitInput } from "./worktree/run-git.ts";
export { openGit } from "./worktree/run-git.ts";
export type { RunLocation } from "./worktree/run-location.ts";
