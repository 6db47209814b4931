import { dirname, posix } from "node:path";
import { findLinkedWorktree } from "../path/linked-worktree.ts";

/** A folder of the host that is mounted read-only. */
export interface ReadOnlyMount {
  /** Path on the host. */
  readonly source: string;
  /** Path in the container. */
  readonly target: string;
}

/**
 * Returns the mount that makes the repository of a linked worktree available in a container, at the path named in the
 * worktree's `.git` file. `undefined` if the workspace is not a linked worktree, or if the mount would cover the
 * workspace.
 */
export function findGitMount(workspace: string, workingDirectory: string): ReadOnlyMount | undefined {
  const found = findLinkedWorktree(workspace);
  if (found === undefined) return undefined;
  const target = dirname(dirname(posix.resolve(workingDirectory, found.pointer)));
  const isAbove = workingDirectory === target || workingDirectory.startsWith(target === "/" ? "/" : `${target}/`);
  return isAbove ? undefined : { source: found.commonDirectory, target };
}
