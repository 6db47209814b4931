import { isAbsolute, join, relative, sep } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";

/** Returns the path of the repository for snapshots. */
export function directoryIn(scratch: string): string {
  return join(scratch, "snapshots.git");
}

/** Converts paths relative to the workspace to paths relative to its repository. */
export function fromTop(
  paths: readonly string[],
  environment: ExecutionEnvironment,
  repository: GitRepository,
): readonly string[] {
  const prefix = prefixOf(environment, repository);
  return paths.map((path) => `${prefix}${path}`);
}

/**
 * Returns the path of the workspace relative to its repository, with a trailing `/`. Empty if the workspace is the top
 * folder.
 */
export function prefixOf({ workingDirectory }: ExecutionEnvironment, { top }: GitRepository): string {
  const folder = relative(top, workingDirectory).split(sep).join("/");
  return folder === "" ? "" : `${folder}/`;
}

/** Returns a `find` pattern for a folder inside the workspace. Empty if the folder is outside. */
export function outsideOf(root: string, path: string | undefined): string {
  const inside = path === undefined ? ".." : relative(root, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return "";
  return `./${inside
    .split(sep)
    .join("/")
    .replace(/[*?[\]\\]/g, "\\$&")}`;
}

/** Returns a git pattern for a folder inside the repository. Empty if the folder is outside. */
export function patternsOf(top: string, path: string | undefined): string[] {
  const inside = path === undefined ? ".." : relative(top, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return [];
  return [`/${toPattern(inside.split(sep).join("/"))}`];
}

/**
 * Converts a path to a git pattern that matches only this path. A line end is replaced with `?`, because a pattern
 * cannot contain one.
 */
function toPattern(path: string): string {
  return path.replace(/[*?[\]\\!# ]/g, "\\$&").replace(/[\r\n]/g, "?");
}
