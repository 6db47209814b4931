/** Files that differ between two git trees. Paths are relative to the repository. */
export interface ChangedFiles {
  /** Files that differ between the two trees, or are in only one of them. */
  readonly all: readonly string[];
  /** Files that are only in the later tree. */
  readonly added: readonly string[];
}

/** Differences between the workspace and the snapshot, as lines printed by shell scripts. */
export interface Comparison {
  /**
   * Differing lines of `list_state`, as strings of one character per byte. A single `?` if the earlier or the later
   * state is unknown.
   */
  readonly state: readonly string[];
  /** Lines of `list_repositories`. */
  readonly repositories: readonly string[];
}

/** Parses the output of `git diff-tree --name-status -z`: for each file, the letter of its change and its path. */
export function toChangedFiles(list: readonly string[]): ChangedFiles {
  const all = list.filter((_, index) => index % 2 === 1);
  return { all, added: all.filter((_, index) => list[index * 2] === "A") };
}

/** Parses the output of the shell script `COMPARE`. */
export function toComparison(output: string): Comparison {
  const [state = "", repositories = ""] = output.split("\0");
  return {
    state: state === "?" ? [state] : toLines(Buffer.from(state, "base64").toString("latin1")),
    repositories: toLines(repositories),
  };
}

function toLines(output: string): string[] {
  return output.split("\n").filter((line) => line !== "");
}

/** Splits the output of git into its NUL-terminated entries. */
export function toList(output: string): string[] {
  return output.split("\0").filter((path) => path !== "");
}

/** Splits output into a list of NUL-terminated entries, which ends with an empty entry, and the text after the list. */
export function splitAfterList(output: string): [entries: string[], rest: string] {
  const end = output.startsWith("\0") ? 0 : output.indexOf("\0\0") + 1;
  return [toList(output.slice(0, end)), output.slice(end + 1)];
}

/** Removes the `./` that `find` prints before a path. */
export function withoutDot(path: string): string {
  return path.replace(/^\.\//, "");
}
