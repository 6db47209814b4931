import { randomBytes } from "node:crypto";
import type { GrepMatch, GrepOptions, GrepResult } from "@switchyard/contracts";
import { createInputParser } from "../../local/search/parse-ripgrep.ts";
import { renderInputArguments } from "../../local/search/ripgrep-arguments.ts";
import { runRipgrep } from "../../local/search/run-ripgrep.ts";
import { createMatchCollector, type MatchCollector } from "../../search/match-collector.ts";
import { DEFAULT_MAX_MATCHES, type SearchRequest, toSearchRequest } from "../../search/search-request.ts";
import type { RemoteProcesses } from "../remote-processes.ts";
import { renderConfirmScript } from "../script/confirm-script.ts";
import { toBatches } from "./to-batches.ts";

/** Maximum number of files that one remote process searches, one after another. */
const MAX_BATCH = 200;

/** Settings for confirming matches. */
export interface Confirmation {
  readonly processes: RemoteProcesses;
  /** Path of ripgrep. */
  readonly ripgrep: string;
  /** Real path of the workspace. */
  readonly root: string;
  /** Path of a folder that lists a process's open files by descriptor, such as `/proc/self/fd`. */
  readonly descriptors: string;
}

/**
 * Returns the search results that are really in the workspace. ripgrep opens files by name: if a folder is replaced by
 * a link during the search, ripgrep can read files outside the workspace. Each file is therefore opened, checked and
 * searched again by a second ripgrep. Only the results of the second search are returned.
 */
export async function confirmMatches(
  confirmation: Confirmation,
  found: GrepResult,
  { pattern, ...options }: GrepOptions & { readonly pattern: string },
): Promise<GrepResult> {
  const request = toSearchRequest(pattern, options);
  const { maxResults = DEFAULT_MAX_MATCHES, isHidden } = options;
  const collector = createMatchCollector(maxResults, request.contextLines, isHidden);
  const counts = request.mode === "count" ? new Map<string, number>() : undefined;
  const paths = [...new Set(found.matches.map(({ path }) => path))];
  for (const batch of toBatches(paths, MAX_BATCH)) {
    const take = (match: GrepMatch): boolean => {
      if (counts === undefined) return collector.add(match);
      counts.set(match.path, (counts.get(match.path) ?? 0) + 1);
      return true;
    };
    if (!(await searchFiles(confirmation, { request, paths: batch, take, signal: options.signal }))) break;
  }
  if (counts !== undefined) addCounts(collector, counts);
  const { matches, truncated } = collector.finish();
  return { matches, truncated: truncated || found.truncated };
}

function addCounts(collector: MatchCollector, counts: ReadonlyMap<string, number>): void {
  for (const [path, count] of counts) collector.add({ path, line: 0, text: String(count), isContext: false });
}

interface FileSearch {
  readonly request: SearchRequest;
  /** Paths of the files, relative to the working directory. */
  readonly paths: readonly string[];
  readonly take: (match: GrepMatch) => boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Searches files and passes each match to `take`. Resolves with false if `take` has returned false, because no more
 * matches are needed.
 */
async function searchFiles(
  { processes, ripgrep, root, descriptors }: Confirmation,
  { request, paths, take, signal }: FileSearch,
): Promise<boolean> {
  const tag = randomBytes(16).toString("hex");
  const argv = [ripgrep, ...renderInputArguments(request)];
  const script = renderConfirmScript({ root, descriptors, tag, argv });
  const files = paths.map((path) => `${root === "/" ? "" : root}/${path}`);
  let wantsMore = true;
  const read = createInputParser({ tag, paths }, (match) => {
    wantsMore = take(match);
    return wantsMore;
  });
  const started = await processes.start(["/bin/sh", "-c", script, "sh", ...files], {
    cwd: ".",
    env: { policy: "none" },
    signal,
  });
  await runRipgrep(started, { pattern: request.pattern, read, signal });
  if (started.failure !== undefined) throw started.failure;
  return wantsMore;
}
