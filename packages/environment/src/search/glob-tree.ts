import type { GlobOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { GlobMatcher } from "../glob/compile-glob.ts";
import { compileGlob } from "../glob/compile-glob.ts";
import { splitGlob } from "../glob/split-glob.ts";
import { resolvePosixPath } from "../path/posix-path.ts";
import type { SearchTree, TreeEntry } from "./search-tree.ts";
import { sortNewestFirst } from "./sort-newest-first.ts";
import { createTimeSlicer } from "./time-slicer.ts";
import type { TreeScope } from "./tree-scope.ts";
import { toTreePath } from "./tree-scope.ts";
import { walkTree } from "./walk-tree.ts";

const DEFAULT_MAX_FILES = 1000;

/**
 * Returns files that match a glob pattern, in the order of the local environment: most recently modified first, then by
 * name. Ignored files are returned only if nothing else matches. Returned paths are relative to the working directory.
 * Yields to the event loop regularly.
 *
 * Throws `environment.invalid_pattern`, errors of accessing `path`, and the abort reason of the signal.
 */
export async function globTree(tree: SearchTree, pattern: string, options: GlobOptions = {}): Promise<string[]> {
  const { signal } = options;
  signal?.throwIfAborted();
  const { base, rest } = splitGlob(pattern);
  const matches = compileGlob(rest === "" && base !== "" ? "**" : rest);
  const relative = await findBase(tree, base, options.path ?? tree.root.real);
  if (relative === undefined) return [];
  const scope: TreeScope = { tree, relative, turns: createTimeSlicer(signal), signal };
  const usual = await findMatching(scope, matches, false);
  const found = usual.length > 0 ? usual : await findMatching(scope, matches, true);
  const sorted = await sortNewestFirst(found, scope.turns);
  return sorted.slice(0, options.maxResults ?? DEFAULT_MAX_FILES).map((path) => toTreePath(scope, path));
}

/**
 * Finds the folder at the start of a pattern, before its first wildcard. `undefined` if that folder does not exist.
 * Throws if `path` does not exist.
 */
async function findBase(tree: SearchTree, base: string, path: string): Promise<string | undefined> {
  const start = resolvePosixPath(tree.root, path);
  const { kind } = await tree.stat(start.relative);
  if (kind !== "directory") throw new EngineError("environment.not_a_directory", { path: start.given });
  if (base === "") return start.relative;
  const { relative } = resolvePosixPath(tree.root, base.startsWith("/") ? base : `${path}/${base}`);
  try {
    const found = await tree.stat(relative);
    return found.kind === "directory" ? relative : undefined;
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return undefined;
    if (EngineError.is(error, "environment.not_a_directory")) return undefined;
    throw error;
  }
}

async function findMatching(scope: TreeScope, matches: GlobMatcher, includeIgnored: boolean): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  for (const entry of await walkTree(scope, { includeIgnored })) {
    if (scope.turns.isOver()) await scope.turns.next();
    if (matches(entry.path)) found.push(entry);
  }
  return found;
}
