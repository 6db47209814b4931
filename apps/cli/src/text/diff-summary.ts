import { plural } from "./plural.ts";

/** How much of one file a diff changes. */
export interface FileChange {
  /** Path, relative to the repository. */
  path: string;
  /** Lines that were added. */
  added: number;
  /** Lines that were removed. */
  removed: number;
}

/** What a unified diff changes, file by file. */
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
    const file = /^diff --git (?:"?a\/.*"? )"?b\/(.*?)"?$/.exec(line)?.[1];
    if (file !== undefined) {
      current = { path: file, added: 0, removed: 0 };
      changes.push(current);
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) remaining = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
  }
  return changes;
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

/** Files that a summary names. */
const MAX_NAMED = 50;

/** A diff in a few lines, like `git diff --stat`; nothing for an empty one. */
export function summariseDiff(diff: string): string[] {
  const changes = readDiff(diff);
  if (changes.length === 0) return [];
  const named = changes.slice(0, MAX_NAMED);
  const width = Math.max(...named.map(({ path }) => path.length));
  const rows = named.map(({ path, added, removed }) => `${path.padEnd(width)}  +${added} -${removed}`);
  if (changes.length > named.length) rows.push(`… ${plural(changes.length - named.length, "more file")}`);
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const total = `${plural(changes.length, "file")} changed, ${plural(added, "line")} added, ${plural(removed, "line")} removed`;
  return changes.length === 1 ? rows : [...rows, total];
}
