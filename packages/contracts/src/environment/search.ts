/** How `grep` searches. loop: GrepOptions, §4.1 and §3.3. */
export interface GrepOptions {
  /** File or folder to search; the working directory by default. Links in a folder are not followed. */
  path?: string | undefined;
  /** Only files that match this glob. */
  glob?: string | undefined;
  /** Ignore case. */
  caseInsensitive?: boolean | undefined;
  /** Most matches; 100 by default. */
  maxResults?: number | undefined;
  /** `content` (default) gives lines, `files` the files with a match, `count` the matches per file. */
  mode?: "content" | "files" | "count" | undefined;
  /** Lines of context around each match. */
  contextLines?: number | undefined;
  /** Files that are passed over as if they were not there, by their path relative to the working directory, with `/`. */
  isHidden?: ((path: string) => boolean) | undefined;
  /** Ends the search when it fires. */
  signal?: AbortSignal | undefined;
}

/** One line that `grep` found, or one of its context. */
export interface GrepMatch {
  /** Path relative to the working directory, with `/`. */
  path: string;
  /** 1-based; 0 in the modes `files` and `count`. */
  line: number;
  /** The line without its end, bounded; the number of matches in the mode `count`. */
  text: string;
  /** Whether it is context and no match. */
  isContext: boolean;
}

/** What `grep` found. */
export interface GrepResult {
  /** In the order of files and lines. */
  matches: GrepMatch[];
  /** Whether there are more matches than were asked for. */
  truncated: boolean;
}

/** How `glob` searches. */
export interface GlobOptions {
  /** Folder to search; the working directory by default. */
  path?: string | undefined;
  /** Most files; 1,000 by default. */
  maxResults?: number | undefined;
  /** Ends the search when it fires. */
  signal?: AbortSignal | undefined;
}
