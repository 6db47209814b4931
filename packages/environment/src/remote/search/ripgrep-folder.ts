import type { GrepOptions, GrepResult } from "@switchyard/contracts";
import { isBelowIgnored } from "../../glob/ignore-rules.ts";
import { createFilterCheck } from "../../local/search/grep-files.ts";
import { createMatchParser } from "../../local/search/parse-ripgrep.ts";
import { renderSearchArguments } from "../../local/search/ripgrep-arguments.ts";
import { runRipgrep } from "../../local/search/run-ripgrep.ts";
import { createMatchCollector } from "../../search/match-collector.ts";
import { renderRulesAbove } from "../../search/render-rules-above.ts";
import { DEFAULT_MAX_MATCHES, inMode, toSearchRequest } from "../../search/search-request.ts";
import type { SearchTree } from "../../search/search-tree.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import { readRulesAbove, toTreePath } from "../../search/tree-scope.ts";
import type { RemoteProcesses } from "../remote-processes.ts";
import { confirmMatches } from "./confirm-matches.ts";

/** A search of a folder with the remote ripgrep. */
export interface FolderSearch {
  readonly tree: SearchTree;
  readonly processes: RemoteProcesses;
  /** Path of ripgrep in the remote environment. */
  readonly ripgrep: string;
  /** Path of a folder that lists a process's open files by descriptor, such as `/proc/self/fd`. */
  readonly descriptors: string;
  /** Path of the folder to search, relative to the working directory. */
  readonly relative: string;
}

/** Maximum size, in bytes, of ignore rules that are passed as a program argument. Larger rules would not fit. */
const MAX_RULES_BYTES = 100 * 1024;
/**
 * Shell script that runs a program with the script's first argument as standard input. The input is a pipe because a
 * pipe, unlike a socket, can be opened as `/dev/stdin`.
 */
const WITH_INPUT = 'rules=$1; shift; printf %s "$rules" | exec "$@"';

/**
 * Searches the files of a remote folder for a regular expression, with the same ripgrep arguments as for a local
 * folder. `undefined` if the ignore rules of the parent folders are too large.
 */
export async function ripgrepFolder(
  { tree, processes, ripgrep, descriptors, relative }: FolderSearch,
  pattern: string,
  options: GrepOptions,
): Promise<GrepResult | undefined> {
  const { signal } = options;
  const request = toSearchRequest(pattern, options);
  const above = await readRulesAbove({ tree, relative, turns: createTimeSlicer(signal), signal });
  // If the caller explicitly searches an ignored folder, the ignore rules of its parent folders do not apply.
  const isNamed = relative !== "" && isBelowIgnored(above, `${relative}/x`);
  const rules = isNamed ? "" : renderRulesAbove(above, relative);
  if (Buffer.byteLength(rules) > MAX_RULES_BYTES) return undefined;
  const { maxResults = DEFAULT_MAX_MATCHES, isHidden } = options;
  const collector = createMatchCollector(maxResults, request.contextLines, isHidden);
  const isWanted = createFilterCheck(request.filter);
  const read = createMatchParser(request.mode, (match) =>
    isWanted(match.path) ? collector.add({ ...match, path: toTreePath({ relative }, match.path) }) : true,
  );
  const scopeRules = {
    rulesFile: rules === "" ? undefined : "/dev/stdin",
    skipsPackages: !relative.split("/").includes("node_modules"),
  };
  const argv = [ripgrep, ...renderSearchArguments(scopeRules, request)];
  const process = await processes.start(rules === "" ? argv : ["/bin/sh", "-c", WITH_INPUT, "sh", rules, ...argv], {
    cwd: relative === "" ? "." : relative,
    env: { policy: "none" },
    signal,
  });
  await runRipgrep(process, { pattern, read, signal });
  if (process.failure !== undefined) throw process.failure;
  const found = collector.finish();
  const confirmation = { processes, ripgrep, root: tree.root.real, descriptors };
  return inMode(request.mode, await confirmMatches(confirmation, found, { ...options, pattern }));
}
