/** The workspace folder, to which all paths are confined. */
export interface WorkspaceRoot {
  /** Absolute path, with links resolved. */
  readonly real: string;
  /** Other absolute paths of the same folder, for example through a link. */
  readonly aliases?: readonly string[] | undefined;
  /** Path rules. Default: `posix`. */
  readonly style?: "posix" | "windows" | undefined;
}

/** A path in the workspace, resolved as text, without file access. */
export interface WorkspacePath {
  /** Path as given by the caller. */
  readonly given: string;
  /** Absolute path below the root's real path. Contains no `.` and `..`. */
  readonly absolute: string;
  /** Path below the root, with `/`. Empty for the root itself. */
  readonly relative: string;
}
