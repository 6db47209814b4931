import type { GrepOptions, GrepResult } from "@switchyard/contracts";
import { isBelowIgnored } from "../../glob/ignore-rules.ts";
import { createWantedCheck } from "../../local/search/grep-files.ts";
import { createMatchParser } from "../../local/search/parse-ripgrep.ts";
import { renderSearchArguments } from "../../local/search/ripgrep-arguments.ts";
import { runRipgrep } from "../../local/search/run-ripgrep.ts";
import { createMatchCollector } from "../../search/match-collector.ts";
import { DEFAULT_MAX_MATCHES, inMode, toSearchRequest } from "../../search/search-request.ts";
import type { SearchTree } from "../../search/search-tree.ts";
import { readRulesAbove, toTreePath } from "../../search/tree-scope.ts";
import { createTurns } from "../../search/turns.ts";
import type { RemoteProcesses } from "../remote-processes.ts";

/** A search of a folder with the place's ripgrep. */
export interface FolderSearch {
  readonly tree: SearchTree;
  readonly processes: RemoteProcesses;
  /** Path of ripgrep. */
  readonly ripgrep: string;
  /** The folder, below the working directory. */
  readonly relative: string;
}

/** Searches the files of a folder for a regular expression, with the arguments that the local environment uses. */
export async function ripgrepFolder(
  { tree, processes, ripgrep, relative }: FolderSearch,
  pattern: string,
  options: GrepOptions,
): Promise<GrepResult> {
  const { signal } = options;
  const request = toSearchRequest(pattern, options);
  const above = await readRulesAbove({ tree, relative, turns: createTurns(signal), signal });
  // Whoever names an ignored folder wants to look into it.
  const isNamed = relative !== "" && isBelowIgnored([...above], `${relative}/x`);
  const scope = {
    layers: isNamed ? [] : above,
    relative,
    skipsPackages: !relative.split("/").includes("node_modules"),
  };
  const collector = createMatchCollector(options.maxResults ?? DEFAULT_MAX_MATCHES, request.contextLines);
  const isWanted = createWantedCheck(scope, request.filter);
  const read = createMatchParser(request.mode, (match) =>
    isWanted(match.path) ? collector.add({ ...match, path: toTreePath(scope, match.path) }) : true,
  );
  const argv = [ripgrep, ...renderSearchArguments(scope, request)];
  const process = await processes.start(argv, {
    cwd: relative === "" ? "." : relative,
    env: { policy: "none" },
    signal,
  });
  await runRipgrep(process, { pattern, read, signal });
  if (process.failure !== undefined) throw process.failure;
  return inMode(request.mode, collector.finish());
}
