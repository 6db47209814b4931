import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path/posix";
import type { GlobOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { GlobMatcher } from "../../glob/compile-glob.ts";
import { compileGlob } from "../../glob/compile-glob.ts";
import { splitGlob } from "../../glob/split-glob.ts";
import type { AgedFile } from "../../search/sort-newest-first.ts";
import { sortNewestFirst } from "../../search/sort-newest-first.ts";
import { createTurns } from "../../search/turns.ts";
import { pinFolder } from "../workspace/pin-target.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import type { SearchTools } from "./grep-files.ts";
import { createPathParser } from "./parse-ripgrep.ts";
import { renderListArguments } from "./ripgrep-arguments.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import type { SearchScope } from "./search-scope.ts";
import { isIgnoredFromAbove, openSearchScope, toWorkspacePath } from "./search-scope.ts";
import { walkFiles } from "./walk-files.ts";

const DEFAULT_MAX_RESULTS = 1000;

/**
 * Files that match a pattern, the last changed first, those of the same time by name. Ignored folders and files are
 * looked at only when nothing else matches.
 */
export async function globFiles(tools: SearchTools, pattern: string, options: GlobOptions): Promise<string[]> {
  options.signal?.throwIfAborted();
  const { base, rest } = splitGlob(pattern);
  const matches = compileGlob(rest === "" && base !== "" ? "**" : rest);
  const scope = await openBase(tools, base, options.path);
  if (scope === undefined) return [];
  await using _folder = scope.folder;
  const search = { tools, scope, matches, signal: options.signal };
  const usual = await findFiles(search, false);
  const found = usual.length > 0 ? usual : await findFiles(search, true);
  const sorted = await sortByAge(scope, found, options.signal);
  const first = sorted.slice(0, options.maxResults ?? DEFAULT_MAX_RESULTS);
  const confirmed = tools.ripgrep === undefined ? first : await confirmFiles(scope, first);
  return confirmed.map((path) => toWorkspacePath(scope, path));
}

/** The folder that a pattern names literally; undefined where it does not exist, which is no error as `path` is. */
async function openBase(tools: SearchTools, base: string, path: string | undefined): Promise<SearchScope | undefined> {
  const start = path ?? tools.workspace.real;
  if (base === "") return openSearchScope(tools.workspace, start);
  // Fails where the folder that was asked for is missing.
  if (path !== undefined) await (await openSearchScope(tools.workspace, path)).folder[Symbol.asyncDispose]();
  try {
    return await openSearchScope(tools.workspace, base.startsWith("/") ? base : `${start}/${base}`);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT" || systemCodeOf(error) === "ENOTDIR") return undefined;
    if (EngineError.is(error, "environment.file_not_found")) return undefined;
    throw error;
  }
}

interface FileSearch {
  readonly tools: SearchTools;
  readonly scope: SearchScope;
  readonly matches: GlobMatcher;
  readonly signal: AbortSignal | undefined;
}

async function findFiles({ tools, scope, matches, signal }: FileSearch, includeIgnored: boolean): Promise<string[]> {
  const found: string[] = [];
  if (tools.ripgrep === undefined) {
    for await (const { path } of walkFiles(scope, includeIgnored)) {
      signal?.throwIfAborted();
      if (matches(path)) found.push(path);
    }
    return found;
  }
  const read = createPathParser((path) => {
    if (matches(path) && (includeIgnored || !isIgnoredFromAbove(scope, path))) found.push(path);
    return true;
  });
  const argv = [tools.ripgrep, ...renderListArguments(scope, { includeIgnored })];
  const process = await tools.starter.startIn(scope.folder, { argv, stdin: "ignore" });
  await runRipgrep(process, { pattern: "", read, signal });
  return found;
}

/** Names that are in the workspace indeed: ripgrep may have been led out by a folder that was swapped for a link. */
async function confirmFiles(scope: SearchScope, paths: readonly string[]): Promise<string[]> {
  const confirmed = new Set<string>();
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const known = byFolder.get(dirname(path));
    if (known === undefined) byFolder.set(dirname(path), [path]);
    else known.push(path);
  }
  for (const [folder, inside] of byFolder) {
    try {
      await using pinned = await pinFolder(scope.workspace, scope.folder.access(folder));
      for (const path of inside) {
        const stats = lstatSync(pinned.access(basename(path)), { throwIfNoEntry: false });
        if (stats?.isFile() === true) confirmed.add(path);
      }
    } catch (error) {
      // Gone, or a link that leads out by now.
      if (systemCodeOf(error) === undefined) throw error;
    }
  }
  return paths.filter((path) => confirmed.has(path));
}

/** Synchronous calls cost a third of the others; they are made in short turns. */
async function sortByAge(
  scope: SearchScope,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const aged: AgedFile[] = [];
  const turns = createTurns(signal);
  for (const path of paths) {
    const stats = lstatSync(`${scope.folder.real}/${path}`, { throwIfNoEntry: false });
    // Gone since, or a link by now.
    if (stats?.isFile() === true) aged.push({ path, modifiedMs: stats.mtimeMs });
    if (turns.isOver()) await turns.next();
  }
  return sortNewestFirst(aged, turns);
}
