/** A folder that paths are confined to. */
export interface WorkspaceRoot {
  /** Absolute path without links. */
  readonly real: string;
  /** Other absolute spellings of the same folder, for instance through a link. */
  readonly aliases?: readonly string[] | undefined;
  /** Whose rules paths follow; `posix` by default. */
  readonly style?: "posix" | "windows" | undefined;
}

/** A path after the lexical check. */
export interface WorkspacePath {
  /** As the caller wrote it. */
  readonly given: string;
  /** Absolute, below the root's real path, without `.` and `..`. */
  readonly absolute: string;
  /** Below the root, with `/`; empty for the root itself. */
  readonly relative: string;
}
