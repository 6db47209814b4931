import type { GlobOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { GlobMatcher } from "../../glob/compile-glob.ts";
import { compileGlob } from "../../glob/compile-glob.ts";
import { splitGlob } from "../../glob/split-glob.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import type { SearchTools } from "./grep-files.ts";
import { newestFiles } from "./newest-files.ts";
import { createPathParser } from "./parse-ripgrep.ts";
import { prepareRipgrep } from "./prepare-ripgrep.ts";
import { renderListArguments } from "./ripgrep-arguments.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import type { SearchScope } from "./search-scope.ts";
import { openSearchScope, toWorkspacePath } from "./search-scope.ts";
import { walkFiles } from "./walk-files.ts";

const DEFAULT_MAX_RESULTS = 1000;
/**
 * Number of additional paths read from ripgrep's output, beyond the maximum number of results. These paths replace
 * results whose files no longer exist. They also show whether more files have the same modification time as the last
 * result.
 */
const SPARE_PATHS = 500;

/**
 * Returns files that match a glob pattern, most recently modified first, then by name. Ignored folders and files are
 * searched only if nothing else matches.
 */
export async function globFiles(tools: SearchTools, pattern: string, options: GlobOptions): Promise<string[]> {
  options.signal?.throwIfAborted();
  const { base, rest } = splitGlob(pattern);
  const inner = rest === "" && base !== "" ? "**" : rest;
  const matches = compileGlob(inner);
  const scope = await openBase(tools, base, options.path);
  if (scope === undefined) return [];
  await using _folder = scope.folder;
  const search = { tools, scope, matches, namePattern: namePatternOf(inner), signal: options.signal };
  const maxResults = options.maxResults ?? DEFAULT_MAX_RESULTS;
  const newest = await findNewest(search, { maxResults, limit: maxResults + SPARE_PATHS });
  return newest.slice(0, maxResults).map((path) => toWorkspacePath(scope, path));
}

interface Amount {
  readonly maxResults: number;
  /** Maximum number of paths read from ripgrep's sorted output. */
  readonly limit: number;
}

async function findNewest(search: FileSearch, { maxResults, limit }: Amount): Promise<string[]> {
  const { tools, scope, signal } = search;
  const usual = await findFiles(search, { includeIgnored: false, limit });
  const found = usual.length > 0 ? usual : await findFiles(search, { includeIgnored: true, limit });
  // Without ripgrep, the found files are not sorted by modification time, so all of them are checked.
  const lookedAt = tools.ripgrep === undefined ? found.length : maxResults;
  const newest = await newestFiles(scope, found, { maxResults: lookedAt, signal });
  // All of ripgrep's output is read if equally old files may follow, or too many found files no longer exist.
  if (newest.isCut || found.length < limit) return newest.files;
  return findNewest(search, { maxResults, limit: Number.POSITIVE_INFINITY });
}

/**
 * Returns a file name pattern that matches at least all names that a glob matches. `undefined` if ripgrep might
 * interpret the pattern differently.
 */
function namePatternOf(pattern: string): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  const isPlain = /^[\w.*-]+$/.test(name) && !name.includes("**") && !/^\.+$/.test(name);
  return isPlain && !/[{}[\]\\]/.test(pattern) ? name : undefined;
}

/**
 * Opens the folder at the start of a pattern, before its first wildcard. `undefined` if that folder does not exist.
 * Throws if `path` does not exist.
 */
async function openBase(tools: SearchTools, base: string, path: string | undefined): Promise<SearchScope | undefined> {
  const start = path ?? tools.workspace.real;
  if (base === "") return openSearchScope(tools.workspace, start);
  // Opens `path` once, because that throws if the folder does not exist.
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
  readonly namePattern: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function findFiles(
  search: FileSearch,
  { includeIgnored, limit }: { includeIgnored: boolean; limit: number },
): Promise<string[]> {
  const { tools, scope, matches, namePattern, signal } = search;
  const found: string[] = [];
  await using ripgrep = await prepareRipgrep(tools.ripgrep, includeIgnored ? { ...scope, layers: [] } : scope);
  if (ripgrep === undefined) {
    for await (const { path } of walkFiles(scope, includeIgnored)) {
      signal?.throwIfAborted();
      if (matches(path)) found.push(path);
    }
    return found;
  }
  const read = createPathParser((path) => {
    if (matches(path)) found.push(path);
    return found.length < limit;
  });
  const argv = [
    ripgrep.program,
    ...renderListArguments(ripgrep.rules, { includeIgnored, namePattern, isSorted: true }),
  ];
  const process = await tools.starter.startIn(scope.folder, { argv, stdin: "ignore" });
  await runRipgrep(process, { pattern: "", read, signal });
  return found;
}
