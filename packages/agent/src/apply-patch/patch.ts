/** One line of a hunk. loop: Appendix A, hunk_lines. */
export interface HunkLine {
  /** Whether the line is kept, removed or added. */
  readonly kind: "context" | "remove" | "add";
  /** The line without its prefix and line end. */
  readonly text: string;
}

/** Change of a file. loop: Appendix A, hunk. */
export interface Hunk {
  /** Lines above the change that identify its position, outermost first. loop: context_hint. */
  readonly hints: readonly string[];
  /** Lines in order. */
  readonly lines: readonly HunkLine[];
  /** Whether it must match at the end of the file. loop: eof_marker. */
  readonly isAtEnd: boolean;
}

/** Creates a file. */
export interface AddFile {
  readonly type: "add";
  /** Relative to the workspace. */
  readonly path: string;
  /** The lines without their prefixes. */
  readonly lines: readonly string[];
}

/** Deletes a file. */
export interface DeleteFile {
  readonly type: "delete";
  /** Relative to the workspace. */
  readonly path: string;
}

/** Changes a file, and optionally moves it. */
export interface UpdateFile {
  readonly type: "update";
  /** Relative to the workspace. */
  readonly path: string;
  /** New path of the file. */
  readonly moveTo?: string | undefined;
  /** Hunks in file order. */
  readonly hunks: readonly Hunk[];
}

/** One operation of a patch. loop: Appendix A, operations. */
export type PatchOperation = AddFile | DeleteFile | UpdateFile;
