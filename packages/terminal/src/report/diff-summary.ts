import { plural } from "../text/plural.ts";

/** Number of added and removed lines of one file in a diff. */
export interface FileChange {
  /** Path, relative to the repository. */
  path: string;
  /** Number of added lines. */
  added: number;
  /** Number of removed lines. */
  removed: number;
}

/** Counts the changed lines of a unified diff, file by file. */
export function readDiff(diff: string): FileChange[] {
  const changes: FileChange[] = [];
  let current: FileChange | undefined;
  let remaining = { old: 0, new: 0 };
  for (const line of diff.split("\n")) {
    const inHunk = remaining.old > 0 || remaining.new > 0;
    if (inHunk && current !== undefined) {
      remaining = countLine(line, current, remaining);
      continue;
    }
    if (line.startsWith("diff --git ")) {
      current = { path: pathOf(line.slice("diff --git ".length)), added: 0, removed: 0 };
      changes.push(current);
    } else if (current !== undefined && /^(?:rename|copy) to /.test(line)) {
      current.path = unquoted(line.replace(/^\w+ to /, ""));
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) remaining = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
  }
  return changes;
}

/**
 * Returns the path in a diff header such as `a/x b/x`. In a rename, the two paths differ, and a later line of the diff
 * contains the new path.
 */
function pathOf(names: string): string {
  const quoted = / ("b\/(?:[^"\\]|\\.)*")$/.exec(names)?.[1];
  if (quoted !== undefined) return unquoted(quoted).slice(2);
  const path = names.slice((names.length + 1) / 2 + 2);
  return names === `a/${path} b/${path}` ? path : names.replace(/^.* b\//, "");
}

const ESCAPED: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/** Unquotes a path. Git quotes paths that contain quotes, backslashes or control characters. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED[code] ?? code);
  });
}

interface Remaining {
  old: number;
  new: number;
}

function countLine(line: string, change: FileChange, remaining: Remaining): Remaining {
  if (line.startsWith("+")) {
    change.added += 1;
    return { ...remaining, new: remaining.new - 1 };
  }
  if (line.startsWith("-")) {
    change.removed += 1;
    return { ...remaining, old: remaining.old - 1 };
  }
  if (line.startsWith("\\")) return remaining;
  return { old: remaining.old - 1, new: remaining.new - 1 };
}

/** Maximum number of files in a summary. */
const MAX_NAMED = 50;

/** Summarises a diff in a few lines, like `git diff --stat`. Empty for an empty diff. */
export function summariseDiff(diff: string): string[] {
  const changes = readDiff(diff);
  if (changes.length === 0) return [];
  const named = changes.slice(0, MAX_NAMED).map((change) => ({ ...change, path: inOneLine(change.path) }));
  const width = Math.max(...named.map(({ path }) => path.length));
  const rows = named.map(({ path, added, removed }) => `${path.padEnd(width)}  +${added} -${removed}`);
  if (changes.length > named.length) rows.push(`… ${plural(changes.length - named.length, "more file")}`);
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const total = `${plural(changes.length, "file")} changed, ${plural(added, "line")} added, ${plural(removed, "line")} removed`;
  return changes.length === 1 ? rows : [...rows, total];
}

function inOneLine(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
