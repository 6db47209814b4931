import type { GrepOptions, GrepResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolvePosixPath } from "../path/posix-path.ts";
import { compileLineMatcher } from "./line-matcher.ts";
import { createMatchCollector } from "./match-collector.ts";
import { searchLines } from "./search-lines.ts";
import { DEFAULT_MAX_MATCHES, inMode, toSearchRequest } from "./search-request.ts";
import type { SearchTree } from "./search-tree.ts";
import { createTimeSlicer } from "./time-slicer.ts";
import type { TreeScope } from "./tree-scope.ts";
import { toTreePath } from "./tree-scope.ts";
import { walkTree } from "./walk-tree.ts";

/**
 * Searches a file, or the files of a folder, for a regular expression in RE2 syntax. Returns the same lines in the same
 * order as the local environment. Yields to the event loop regularly.
 *
 * Throws `environment.invalid_pattern`, errors of accessing `path`, and the abort reason of the signal.
 */
export async function grepTree(tree: SearchTree, pattern: string, options: GrepOptions = {}): Promise<GrepResult> {
  const { signal } = options;
  signal?.throwIfAborted();
  const request = toSearchRequest(pattern, options);
  const { maxResults = DEFAULT_MAX_MATCHES, isHidden } = options;
  const collector = createMatchCollector(maxResults, request.contextLines, isHidden);
  const { relative, given } = resolvePosixPath(tree.root, options.path ?? tree.root.real);
  const { kind } = await tree.stat(relative);
  if (kind !== "file" && kind !== "directory") {
    throw new EngineError("environment.not_a_file", { path: given, found: "something else" });
  }
  const scope: TreeScope = { tree, relative, turns: createTimeSlicer(signal), signal };
  const matcher = await compileLineMatcher(pattern, request.caseInsensitive);
  const search = { request, matcher, onMatch: collector.add, turns: scope.turns };
  const isWanted = request.filter?.matches ?? ((): boolean => true);
  const named = kind === "file" ? namedFile(relative, isWanted) : await filesBelow(scope, isWanted);
  const paths = isHidden === undefined ? named : named.filter((path) => !isHidden(path));
  for await (const { path, content } of paths.length === 0 ? [] : tree.read(paths, signal)) {
    signal?.throwIfAborted();
    if (!(await searchLines({ path, content }, search))) break;
  }
  return inMode(request.mode, collector.finish());
}

/** Returns the file that the caller named, regardless of ignore rules. A file filter applies to its name only. */
function namedFile(path: string, isWanted: (path: string) => boolean): string[] {
  return isWanted(path.slice(path.lastIndexOf("/") + 1)) ? [path] : [];
}

async function filesBelow(scope: TreeScope, isWanted: (path: string) => boolean): Promise<string[]> {
  const paths: string[] = [];
  for (const { path } of await walkTree(scope, { includeIgnored: false })) {
    if (scope.turns.isOver()) await scope.turns.next();
    if (isWanted(path)) paths.push(toTreePath(scope, path));
  }
  return paths;
}
