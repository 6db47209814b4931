/** Options for `grep`. See loop: GrepOptions, §4.1 and §3.3. */
export interface GrepOptions {
  /** File or folder to search. Default: the working directory. Symbolic links inside a folder are not followed. */
  path?: string | undefined;
  /** Glob that limits the files to search. Default: all files. */
  glob?: string | undefined;
  /** True to ignore case. Default: false. */
  caseInsensitive?: boolean | undefined;
  /** Maximum number of matches. Default: 100. */
  maxResults?: number | undefined;
  /**
   * Kind of result: `content` (default) returns lines, `files` the files with a match, `count` the number of matches
   * per file.
   */
  mode?: "content" | "files" | "count" | undefined;
  /** Number of context lines around each match. Default: 0. */
  contextLines?: number | undefined;
  /** Returns true for files to skip, given their path relative to the working directory, with `/` as separator. */
  isHidden?: ((path: string) => boolean) | undefined;
  /** Cancels the search when this signal aborts. */
  signal?: AbortSignal | undefined;
}

/** A line that matches, or a context line. */
export interface GrepMatch {
  /** Path relative to the working directory, with `/` as separator. */
  path: string;
  /** 1-based line number; 0 in the modes `files` and `count`. */
  line: number;
  /**
   * Text of the line without its line ending, truncated if too long. In `count` mode: the number of matches in the
   * file.
   */
  text: string;
  /** True for a context line, which does not match the pattern itself. */
  isContext: boolean;
}

/** Result of `grep`. */
export interface GrepResult {
  /** Lines that match, ordered by file and line number. */
  matches: GrepMatch[];
  /** True if there are more matches than requested. */
  truncated: boolean;
}

/** Options for `glob`. */
export interface GlobOptions {
  /** Folder to search. Default: the working directory. */
  path?: string | undefined;
  /** Maximum number of files. Default: 1,000. */
  maxResults?: number | undefined;
  /** Cancels the search when this signal aborts. */
  signal?: AbortSignal | undefined;
}
