import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findLinkedWorktree, readPointer } from "./linked-worktree.ts";

/** Git repository of a local folder. Paths are real. */
export interface FolderRepository {
  /** Top folder of the working tree. */
  readonly top: string;
  /** Folder with the repository's data (usually `.git`), shared by all linked worktrees. */
  readonly data: string;
  /**
   * Location of the repository's data. `inside`: in the working tree. `linked`: in another repository, of which the
   * folder is a linked worktree. `outside`: elsewhere, as for a submodule.
   */
  readonly kind: "inside" | "linked" | "outside";
}

/**
 * Finds the git repository of a folder, without running git. `undefined` if the folder is not inside a repository. A
 * folder `.git` without a `HEAD` is not a repository. The folder is untrusted: a `.git` file that points to another repository is trusted only if that repository lists the
 * folder as its worktree. If it is not trusted, `data` is the `.git` file itself.
 */
export function findRepository(folder: string): FolderRepository | undefined {
  let top = realOf(folder);
  while (top !== undefined && !isRepository(join(top, ".git"))) top = dirname(top) === top ? undefined : dirname(top);
  if (top === undefined) return undefined;
  const pointer = readPointer(top);
  if (pointer === undefined) return { top, data: realOf(join(top, ".git")) ?? join(top, ".git"), kind: "inside" };
  const linked = findLinkedWorktree(top);
  if (linked !== undefined) return { top, data: linked.commonDirectory, kind: "linked" };
  const isInside = resolve(top, pointer).startsWith(`${top}/`);
  return { top, data: join(top, ".git"), kind: isInside ? "inside" : "outside" };
}

/**
 * Returns whether an entry `.git` exists. A folder of this name counts only if it contains `HEAD`: sandboxes create
 * empty folders, which git ignores.
 */
function isRepository(git: string): boolean {
  const found = lstatSync(git, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found !== undefined;
  return lstatSync(join(git, "HEAD"), { throwIfNoEntry: false }) !== undefined;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
