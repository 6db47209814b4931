import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";
import { gitOf, omitPaths, type ShadowOptions } from "./shadow-git.ts";
import { splitAfterList, toList, withoutDot } from "./shadow-output.ts";
import { fromTop, patternsOf } from "./shadow-paths.ts";
import { EMPTY_TREE, type Look, openShadow, type ShadowRepository } from "./shadow-repository.ts";
import {
  CREATE,
  ENTER,
  ENTER_AND_READ_RAW,
  LIST_CREATED,
  LIST_IGNORED,
  LIST_LARGE,
  PRINT_IGNORED,
  STORE_EMPTY_STATE,
  STORE_STATE,
  WRITE_CLEAN_TREE,
  WRITE_TREE,
} from "./shadow-scripts.ts";

/** State of the workspace when the repository for snapshots is created. */
export interface InitialState extends Look {
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

/** Creates a repository for snapshots below a folder, and examines the workspace. */
export async function createShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded, patterns = [], isComplete = false, signal }: ShadowOptions,
): Promise<InitialState> {
  const { runScript } = gitOf(environment, repository, { scratch, excluded });
  const exclude = excludeFileOf(repository, { excluded, patterns });
  const shadow = openShadow(environment, repository, { scratch, excluded });
  if (repository.isPlain === true) {
    const args = [exclude, BYTES_ONLY, "", repository.objectFormat];
    const output = await runScript({ script: CREATE + LIST_CREATED + STORE_STATE + LIST_IGNORED, args }, signal);
    const [made, ignored] = splitAfterList(output);
    return { shadow, made, large: [], ignored: toList(ignored), tree: made.length === 0 ? EMPTY_TREE : undefined };
  }
  // The user's index contains the times and sizes of files, without which git would read all files again.
  const args = [exclude, isComplete ? "" : BYTES_ONLY, repository.index, repository.objectFormat];
  const script = isComplete
    ? `printf '\\0'\n${WRITE_CLEAN_TREE}${LIST_IGNORED}`
    : ENTER_AND_READ_RAW + LIST_LARGE + WRITE_TREE + PRINT_IGNORED;
  const [found, rest] = splitAfterList(await runScript({ script: CREATE + script, args }, signal));
  const large = found.map(withoutDot);
  await omitPaths({ runScript }, fromTop(large, environment, repository));
  const output = large.length === 0 ? rest : await runScript({ script: ENTER + WRITE_TREE + LIST_IGNORED }, signal);
  const end = output.indexOf("\n");
  return { shadow, made: [], large, ignored: toList(output.slice(end + 1)), tree: output.slice(0, end) };
}

/** Returns the content of git's exclude file. */
function excludeFileOf(
  { top }: GitRepository,
  { excluded, patterns = [] }: Pick<ShadowOptions, "excluded" | "patterns">,
): string {
  return [...patterns, ...patternsOf(top, excluded)].map((pattern) => `${pattern}\n`).join("");
}

/**
 * Creates a repository for snapshots of a plain folder that was empty when the run began. `mode` contains the permission
 * bits that the folder then had.
 */
export async function createEmptyShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { mode, ...options }: ShadowOptions & { readonly mode: number },
): Promise<void> {
  const { runScript } = gitOf(environment, repository, options);
  const exclude = excludeFileOf(repository, options);
  const args = [exclude, BYTES_ONLY, "", repository.objectFormat, mode.toString(8)];
  await runScript({ script: CREATE + STORE_EMPTY_STATE, args });
}
