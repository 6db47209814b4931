import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Folders of a linked worktree's repository. Paths are real unless stated otherwise. */
export interface LinkedWorktree {
  /** Worktree-specific folder in the repository, for example `/srv/project/.git/worktrees/fix`. */
  readonly gitDirectory: string;
  /** The repository's folder, for example `/srv/project/.git`. */
  readonly commonDirectory: string;
  /**
   * Path of the worktree-specific folder as written in the worktree's `.git` file: absolute, or relative to the
   * worktree.
   */
  readonly pointer: string;
}

/**
 * Finds the repository of a linked worktree. `undefined` if the folder is not a linked worktree. The folder is
 * untrusted, because its `.git` file may name any path, so the repository must list the folder as its worktree. `root`
 * is a real path.
 */
export function findLinkedWorktree(root: string): LinkedWorktree | undefined {
  const pointer = readPointer(root);
  const gitDirectory = pointer === undefined ? undefined : realOf(resolve(root, pointer));
  if (
    pointer === undefined ||
    gitDirectory === undefined ||
    gitDirectory === root ||
    gitDirectory.startsWith(`${root}/`)
  )
    return undefined;
  const commonDirectory = dirname(dirname(gitDirectory));
  const shared = readLine(join(gitDirectory, "commondir"));
  const back = readLine(join(gitDirectory, "gitdir"));
  if (shared === undefined || back === undefined || basename(dirname(gitDirectory)) !== "worktrees") return undefined;
  if (
    realOf(resolve(gitDirectory, shared)) !== commonDirectory ||
    realOf(resolve(gitDirectory, back)) !== join(root, ".git")
  )
    return undefined;
  return { gitDirectory, commonDirectory, pointer };
}

/** Returns the path in the `.git` file of a working tree. `undefined` if `.git` is a folder, a link or missing. */
export function readPointer(root: string): string | undefined {
  try {
    const path = join(root, ".git");
    if (!lstatSync(path).isFile()) return undefined;
    return /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1]?.trim();
  } catch {
    return undefined;
  }
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
