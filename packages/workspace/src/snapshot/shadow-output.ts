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
   * Lines of the shell function `print_state` (files and folders with kind and mode) that differ between the snapshot
   * and the workspace. A tab precedes the lines of the workspace. Each character of a line stands for one byte, because
   * file names need not be UTF-8. Contains only `?` if the state of the snapshot or of the workspace is unknown.
   */
  readonly state: readonly string[];
  /**
   * Lines of `list_repositories` that differ between the snapshot and the workspace. A tab precedes the lines of the
   * workspace. Each line contains the folder of a repository, the separator U+0002, and a branch or another value.
   */
  readonly repositories: readonly string[];
}

/** Parses the output of `git diff-tree --name-status -z`: for each file, the letter of its change and its path. */
export function toChangedFiles(list: readonly string[]): ChangedFiles {
  const all = list.filter((_, index) => index % 2 === 1);
  return { all, added: all.filter((_, index) => list[index * 2] === "A") };
}

/** Parses the output of the shell function `compare`. */
export function toComparison(output: string): Comparison {
  const lines = Buffer.from(output, "base64").toString("latin1").split("\n");
  // The lines are sorted, because the order in which they are printed depends on the version of awk.
  const textOf = (line: string): string => line.replace(/^(.)\t/, "$1");
  lines.sort((left, right) => (textOf(left) < textOf(right) ? -1 : 1));
  const linesOf = (kind: string): string[] => lines.flatMap((line) => (line.startsWith(kind) ? [line.slice(1)] : []));
  const repositories = linesOf("r").map((line) => Buffer.from(line, "latin1").toString("utf8"));
  return { state: linesOf("s"), repositories };
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

/** A git tree that a shell script has written. */
export interface WrittenTree {
  /** Id of the tree. */
  readonly tree: string;
  /** Files that the tree does not contain, because they are too large or unreadable. Relative to the workspace. */
  readonly large: readonly string[];
}

/**
 * Parses the output of the shell function `print_tree`. Throws if the workspace exceeds the limits of a plain folder.
 */
export function toWrittenTree([tree = "", ...large]: readonly string[]): WrittenTree {
  if (tree.includes(" ")) throw new Error(`there are ${tree}`);
  return { tree, large };
}
