import { constants } from "node:fs";
import { basename, dirname } from "node:path/posix";
import type { GrepMatch, GrepOptions, GrepResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { FileFilter } from "../../search/file-filter.ts";
import { compileLineMatcher } from "../../search/line-matcher.ts";
import type { MatchCollector } from "../../search/match-collector.ts";
import { createMatchCollector } from "../../search/match-collector.ts";
import { searchLines } from "../../search/search-lines.ts";
import type { SearchRequest } from "../../search/search-request.ts";
import { DEFAULT_MAX_MATCHES, inMode, toSearchRequest } from "../../search/search-request.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import type { ProcessStarter } from "../process/process-starter.ts";
import type { LocalWorkspace, PinnedPath } from "../workspace/pin-path.ts";
import { pinPath, pinPathNow } from "../workspace/pin-path.ts";
import { pinFolder } from "../workspace/pin-target.ts";
import { openForReading } from "../workspace/read-file.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import { confirmLines } from "./confirm-lines.ts";
import type { LocatedMatch } from "./parse-ripgrep.ts";
import { createLocatedMatchParser, createMatchParser } from "./parse-ripgrep.ts";
import type { PreparedRipgrep } from "./prepare-ripgrep.ts";
import { prepareRipgrep } from "./prepare-ripgrep.ts";
import { readChunks } from "./read-chunks.ts";
import { LINE_BY_LINE, renderInputArguments, renderSearchArguments, WITH_OFFSETS } from "./ripgrep-arguments.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import { openSearchOutput } from "./search-output.ts";
import type { SearchScope } from "./search-scope.ts";
import { readSearchScope, toWorkspacePath } from "./search-scope.ts";
import { walkFiles } from "./walk-files.ts";

/** Maximum number of ripgrep processes that count matches concurrently. */
const PARALLEL_COUNTS = 8;

/** Dependencies of searches. */
export interface SearchTools {
  readonly workspace: LocalWorkspace;
  readonly starter: ProcessStarter;
  /** Path of ripgrep. `undefined`: search in this process. */
  readonly ripgrep: string | undefined;
}

interface Search {
  readonly tools: SearchTools;
  readonly request: SearchRequest;
  readonly collector: MatchCollector;
  readonly signal: AbortSignal | undefined;
}

/** Searches a file, or the files of a folder, for a regular expression. */
export async function grepFiles(tools: SearchTools, pattern: string, options: GrepOptions): Promise<GrepResult> {
  options.signal?.throwIfAborted();
  const request = toSearchRequest(pattern, options);
  const { maxResults = DEFAULT_MAX_MATCHES, isHidden } = options;
  const collector = createMatchCollector(maxResults, request.contextLines, isHidden);
  const search: Search = { tools, request, collector, signal: options.signal };
  const path = options.path ?? tools.workspace.real;
  await using target = await pinPathNow(tools.workspace, resolveWorkspacePath(tools.workspace, path).absolute);
  if ((await target.stat()).isDirectory()) {
    const scope = await readSearchScope(tools.workspace, path, target);
    await using ripgrep = await prepareRipgrep(tools.ripgrep, scope);
    // The result is awaited here, because the opened folder and the ignore rules file are released on return.
    if (ripgrep !== undefined) return await ripgrepFolder(search, scope, ripgrep);
    await scanFolder(search, scope);
  } else {
    await grepOneFile(search, path);
  }
  const { matches, truncated } = collector.finish();
  const isDoubtful = matches.some(({ text }) => text.endsWith("\r"));
  return inMode(request.mode, {
    matches: isDoubtful ? await confirmLines(tools.workspace, matches) : matches,
    truncated,
  });
}

async function ripgrepFolder(search: Search, scope: SearchScope, ripgrep: PreparedRipgrep): Promise<GrepResult> {
  const { request, collector, tools, signal } = search;
  const isWanted = createFilterCheck(request.filter);
  const take = (match: LocatedMatch): boolean =>
    isWanted(match.path) ? collector.add({ ...match, path: toWorkspacePath(scope, match.path) }) : true;
  // ripgrep also reports the byte offset of each line, so that a line in a large file is found again without a scan.
  const [offsets, read] =
    request.mode === "count"
      ? [[], createMatchParser(request.mode, take)]
      : [WITH_OFFSETS, createLocatedMatchParser(take)];
  const options = [...offsets, ...renderSearchArguments(ripgrep.rules, request)];
  const output = openSearchOutput();
  try {
    const argv = [ripgrep.program, ...(output === undefined ? [] : LINE_BY_LINE), ...options];
    const process = await tools.starter.startIn(scope.folder, { argv, stdin: "ignore", output });
    await runRipgrep(process, { pattern: request.pattern, read, signal, output });
  } finally {
    output?.close();
  }
  const { matches, truncated } = collector.finish();
  if (request.mode === "count") return { matches: await recount(search, matches), truncated };
  return inMode(request.mode, { matches: await confirmLines(tools.workspace, matches), truncated });
}

/**
 * Counts the matches of each file again after opening the file safely. ripgrep's counts alone cannot be verified,
 * because they contain no lines.
 */
async function recount(search: Search, found: readonly GrepMatch[]): Promise<GrepMatch[]> {
  const counts: GrepMatch[] = [];
  for (let from = 0; from < found.length; from += PARALLEL_COUNTS) {
    const next = found.slice(from, from + PARALLEL_COUNTS);
    counts.push(...(await Promise.all(next.map(({ path }) => countOneFile(search, path)))).flat());
  }
  return counts;
}

async function countOneFile(search: Search, path: string): Promise<GrepMatch[]> {
  const collector = createMatchCollector(1, 0);
  try {
    await grepOneFile({ ...search, request: { ...search.request, filter: undefined }, collector }, path);
  } catch (error) {
    search.signal?.throwIfAborted();
    // The file was removed or replaced in the meantime.
    if (!EngineError.is(error) && systemCodeOf(error) === undefined) throw error;
  }
  return collector.finish().matches;
}

/**
 * Returns a function that checks whether a filter accepts a file found by ripgrep. The last result is cached, because
 * results of the same file are consecutive.
 */
export function createFilterCheck(filter: FileFilter | undefined): (path: string) => boolean {
  let last: { path: string; isWanted: boolean } | undefined;
  return (path) => {
    if (last?.path !== path) last = { path, isWanted: filter?.matches(path) ?? true };
    return last.isWanted;
  };
}

async function scanFolder({ request, collector, signal }: Search, scope: SearchScope): Promise<void> {
  const matcher = await compileLineMatcher(request.pattern, request.caseInsensitive);
  const search = { request, matcher, onMatch: collector.add, turns: createTimeSlicer(signal) };
  for await (const { path, folder, name } of walkFiles(scope)) {
    signal?.throwIfAborted();
    if (request.filter?.matches(path) === false) continue;
    const file = await openWalked(scope.workspace, folder, name);
    if (file === undefined) continue;
    await using _file = file;
    const searched = { path: toWorkspacePath(scope, path), content: readChunks(file) };
    if (!(await searchLines(searched, search))) return;
  }
}

/** Opens a file found in a folder. `undefined` if the file is unreadable or was replaced. */
async function openWalked(workspace: LocalWorkspace, folder: PinnedPath, name: string) {
  try {
    await using pinned = await pinPath(workspace, folder.access(name), { noFollow: true });
    if (!(await pinned.stat()).isFile()) return undefined;
    return await pinned.open(constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
}

/**
 * Searches a file that the caller named, regardless of ignore rules. The file is opened and checked first, and passed
 * to ripgrep as standard input.
 */
async function grepOneFile({ tools, request, collector, signal }: Search, path: string): Promise<void> {
  await using file = await openForReading(tools.workspace, path);
  const { absolute, relative } = resolveWorkspacePath(tools.workspace, path);
  if (request.filter?.matches(basename(relative)) === false) return;
  if (tools.ripgrep === undefined) {
    const matcher = await compileLineMatcher(request.pattern, request.caseInsensitive);
    const search = { request, matcher, onMatch: collector.add, turns: createTimeSlicer(signal) };
    await searchLines({ path: relative, content: readChunks(file) }, search);
    return;
  }
  await using folder = await pinFolder(tools.workspace, dirname(absolute));
  const argv = [tools.ripgrep, ...renderInputArguments(request)];
  const process = await tools.starter.startIn(folder, { argv, stdin: file.fd });
  let count = 0;
  const read = createMatchParser("content", (match) => {
    count += 1;
    return request.mode === "count" || collector.add({ ...match, path: relative });
  });
  await runRipgrep(process, { pattern: request.pattern, read, signal });
  if (request.mode !== "count" || count === 0) return;
  collector.add({ path: relative, line: 0, text: String(count), isContext: false });
}
