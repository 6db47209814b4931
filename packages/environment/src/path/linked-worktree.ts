import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Where the repository of a linked worktree keeps its files. Paths are real unless said otherwise. */
export interface LinkedWorktree {
  /** The worktree's own folder in the repository, for example `/srv/project/.git/worktrees/fix`. */
  readonly own: string;
  /** The repository's folder, for example `/srv/project/.git`. */
  readonly common: string;
  /** Path of `own` as the worktree's `.git` file names it; absolute, or relative to the worktree. */
  readonly named: string;
}

/**
 * Finds the repository of a linked worktree; `undefined` if the folder is not one. The content of the folder is untrusted: its
 * `.git` file may name any folder. So the repository itself must name the folder as its worktree. `root` is a real path.
 */
export function findLinkedWorktree(root: string): LinkedWorktree | undefined {
  const named = readPointer(root);
  const own = named === undefined ? undefined : realOf(resolve(root, named));
  if (named === undefined || own === undefined || own === root || own.startsWith(`${root}/`)) return undefined;
  const common = dirname(dirname(own));
  const shared = readLine(join(own, "commondir"));
  const back = readLine(join(own, "gitdir"));
  if (shared === undefined || back === undefined || basename(dirname(own)) !== "worktrees") return undefined;
  if (realOf(resolve(own, shared)) !== common || realOf(resolve(own, back)) !== join(root, ".git")) return undefined;
  return { own, common, named };
}

/** What the `.git` file of a working tree names; `undefined` if `.git` is a folder, a link or missing. */
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
