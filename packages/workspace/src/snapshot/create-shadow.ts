import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";
import { gitOf, type ShadowOptions } from "./shadow-git.ts";
import { splitAfterList, toWrittenTree, type WrittenTree } from "./shadow-output.ts";
import { patternsOf } from "./shadow-paths.ts";
import { openShadow, type ShadowRepository } from "./shadow-repository.ts";
import { CREATE, STORE, STORE_EMPTY, WRITE_CLEAN_TREE } from "./shadow-scripts.ts";

/** State of the workspace when the repository for snapshots is created. */
export interface InitialState extends WrittenTree {
  readonly shadow: ShadowRepository;
  /**
   * Paths that git ignores and that are therefore not in the git tree, relative to the repository. Folders have a
   * trailing `/`.
   */
  readonly ignored: readonly string[];
}

/**
 * Content of an attributes file that disables conversions and filters, so that git stores raw bytes, and detects binary
 * files by their content only.
 */
export const BYTES_ONLY = "* -text -ident !filter !working-tree-encoding !diff\n";

/** Creates a repository for snapshots below a folder, and examines the workspace. Throws if a plain folder is too large. */
export async function createShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded, patterns, isComplete = false, signal }: ShadowOptions,
): Promise<InitialState> {
  const exclude = excludeFileOf(repository, { excluded, patterns });
  // The user's index contains the times and sizes of files, without which git would read all files again.
  const args = [exclude, isComplete ? "" : BYTES_ONLY, repository.index, repository.objectFormat];
  const script = CREATE + (isComplete ? WRITE_CLEAN_TREE : STORE);
  const output = await gitOf(environment, repository, { scratch, excluded })({ script, args }, signal);
  const [ignored, rest] = splitAfterList(output);
  const shadow = openShadow(environment, repository, { scratch, excluded });
  return { shadow, ignored, ...toWrittenTree(splitAfterList(rest)[0]) };
}

/** Returns the content of git's exclude file. */
function excludeFileOf(
  { top }: GitRepository,
  { excluded, patterns = [] }: Pick<ShadowOptions, "excluded" | "patterns">,
): string {
  return [...patterns, ...patternsOf(top, excluded)].map((pattern) => `${pattern}\n`).join("");
}

/**
 * Returns a script, with its arguments, that creates a repository for snapshots of a plain folder that was empty when the
 * run began. `mode` contains the permission bits that the folder then had.
 */
export function createEmptyShadow(
  repository: GitRepository,
  { mode, ...options }: Pick<ShadowOptions, "excluded" | "patterns"> & { readonly mode: number },
): { readonly script: string; readonly args: readonly string[] } {
  const args = [excludeFileOf(repository, options), BYTES_ONLY, "", repository.objectFormat, mode.toString(8)];
  return { script: CREATE + STORE_EMPTY, args };
}
