/** One line of a hunk. loop: Appendix A, hunk_lines. */
export interface HunkLine {
  /** Whether the line stays, goes or comes. */
  readonly kind: "context" | "remove" | "add";
  /** The line without its prefix and line end. */
  readonly text: string;
}

/** One change of a file. loop: Appendix A, hunk. */
export interface Hunk {
  /** Lines above the change that lead to its place, outermost first. loop: context_hint. */
  readonly hints: readonly string[];
  /** In order. */
  readonly lines: readonly HunkLine[];
  /** Whether it belongs to the end of the file. loop: eof_marker. */
  readonly isAtEnd: boolean;
}

/** Makes a file. */
export interface AddFile {
  readonly type: "add";
  /** Relative to the workspace. */
  readonly path: string;
  /** The lines without their prefixes. */
  readonly lines: readonly string[];
}

/** Removes a file. */
export interface DeleteFile {
  readonly type: "delete";
  /** Relative to the workspace. */
  readonly path: string;
}

/** Changes a file, and perhaps its name. */
export interface UpdateFile {
  readonly type: "update";
  /** Relative to the workspace. */
  readonly path: string;
  /** The new name. */
  readonly moveTo?: string | undefined;
  /** In the order of the file. */
  readonly hunks: readonly Hunk[];
}

/** One operation of a patch. loop: Appendix A, operations. */
export type PatchOperation = AddFile | DeleteFile | UpdateFile;
