/** One line of a hunk. See loop: Appendix A, hunk_lines. */
export interface HunkLine {
  /** Type of the line: unchanged context, removed or added. */
  readonly kind: "context" | "remove" | "add";
  /** Text of the line, without its prefix and line end. */
  readonly text: string;
}

/** One change within a file. See loop: Appendix A, hunk. */
export interface Hunk {
  /** Lines above the change that help to locate it, outermost first. See loop: context_hint. */
  readonly hints: readonly string[];
  /** Lines of the hunk, in order. */
  readonly lines: readonly HunkLine[];
  /** True if the hunk must match at the end of the file. See loop: eof_marker. */
  readonly isAtEnd: boolean;
}

/** Creates a file. */
export interface AddFile {
  readonly type: "add";
  /** Path relative to the workspace. */
  readonly path: string;
  /** Lines of the new file, without the `+` that precedes them in the patch. */
  readonly lines: readonly string[];
}

/** Deletes a file. */
export interface DeleteFile {
  readonly type: "delete";
  /** Path relative to the workspace. */
  readonly path: string;
}

/** Patch operation that modifies a file, moves it, or both. */
export interface UpdateFile {
  readonly type: "update";
  /** Path relative to the workspace. */
  readonly path: string;
  /** New path. `undefined` if the file is not moved. */
  readonly moveTo?: string | undefined;
  /** Hunks, in the order in which they occur in the file. */
  readonly hunks: readonly Hunk[];
}

/** One operation of a patch. See loop: Appendix A, operations. */
export type PatchOperation = AddFile | DeleteFile | UpdateFile;
