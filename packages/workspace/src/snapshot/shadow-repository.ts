import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";
import { COMPARE } from "./shadow-functions.ts";
import { gitOf, omitPaths, type ShadowLocation } from "./shadow-git.ts";
import {
  type ChangedFiles,
  type Comparison,
  splitAfterList,
  toChangedFiles,
  toComparison,
  toList,
  withoutDot,
} from "./shadow-output.ts";
import { fromTop } from "./shadow-paths.ts";
import {
  COMPARE_STATE,
  ENTER,
  LIST_CREATED,
  LIST_IGNORED,
  OMIT_LARGE,
  WRITE_PLAIN_TREE,
  WRITE_TREE,
} from "./shadow-scripts.ts";

/**
 * Separate git repository that stores snapshots of a workspace. It has its own index, objects and settings, so that
 * those of the user's repository stay unchanged.
 */
export interface ShadowRepository {
  /** Stores the current files of the workspace as a git tree, and resolves with the tree's id. */
  writeTree(signal?: AbortSignal): Promise<string>;
  /**
   * Examines the current files of the workspace. Also compares them with the tree `before`, if this needs no additional
   * process.
   */
  look(before: string): Promise<LaterLook>;
  /**
   * Excludes those files, found by the last call of `look` in a folder without git, that are too large or unreadable.
   */
  omitLarge(signal?: AbortSignal): Promise<Bounded>;
  /**
   * Compares the workspace with the snapshot. The comparison includes files that git ignores, and properties that git
   * does not store.
   */
  compare(): Promise<Comparison>;
  /** Resolves with the paths that git ignores, relative to the repository. Folders have a trailing `/`. */
  listIgnored(): Promise<string[]>;
  /** Resolves with the paths of all files in a git tree, relative to the repository. */
  listFiles(tree: string): Promise<string[]>;
  /** Resolves with the files that differ between two git trees. */
  listChanged(before: string, after: string): Promise<ChangedFiles>;
  /** Writes the diff between two git trees to a file. */
  diffTrees(before: string, after: string, options: DiffOptions): Promise<void>;
}

/** Files of a plain folder after large and unreadable files were excluded. */
interface Bounded {
  /** Total size of the included files, in bytes. */
  readonly bytes: number;
  /** Excluded files. */
  readonly omitted: readonly string[];
}

/** State of a workspace. */
export interface Look {
  /**
   * Id of the git tree that contains the workspace's files. `undefined` for a plain folder with new files, because
   * these may be too large to store.
   */
  readonly tree?: string | undefined;
  /** New files, relative to the repository. Nested repositories have a trailing `/`. */
  readonly made: readonly string[];
  /**
   * Untracked files that were excluded because they are too large or unreadable. Paths are relative to the workspace.
   */
  readonly large: readonly string[];
}

/** State after a run. */
interface LaterLook extends Look {
  /** Differences from the git tree before the run. `undefined` if they were not computed. */
  readonly changed?: ChangedFiles | undefined;
  /** Result of `compare`. */
  readonly comparison?: Comparison | undefined;
}

/** Options for comparing trees. */
interface DiffOptions {
  /** Output file. */
  readonly output: string;
  /** True to include binary contents. */
  readonly hasBinary: boolean;
  /** Excluded paths, relative to the workspace. */
  readonly excluded: readonly string[];
  /** Excluded paths, relative to the repository. */
  readonly excludedFromTop: readonly string[];
}

const DIFF_OPTIONS = ["-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"] as const;
/** Id of the empty git tree. Git knows this tree even if it is not stored. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Opens an existing repository for snapshots. */
export function openShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  location: ShadowLocation,
): ShadowRepository {
  const { runScript, run } = gitOf(environment, repository, location);
  const isPlain = repository.isPlain === true;
  const writeTree = async (signal?: AbortSignal): Promise<string> =>
    (await runScript({ script: isPlain ? WRITE_PLAIN_TREE : ENTER + WRITE_TREE }, signal)).trim();
  return {
    writeTree,
    omitLarge: async (signal) => {
      const output = await runScript({ script: OMIT_LARGE }, signal);
      const end = output.indexOf("\n");
      return { bytes: Number(output.slice(0, end)), omitted: toList(output.slice(end + 1)).map(withoutDot) };
    },
    look: async (before) => {
      if (!isPlain) {
        const [found, rest] = splitAfterList(await runScript({ script: COMPARE_STATE, args: [before] }));
        const large = found.map(withoutDot);
        await omitPaths({ runScript }, fromTop(large, environment, repository));
        if (large.length > 0) return { made: [], large, tree: await writeTree() };
        const end = rest.indexOf("\n");
        const [list, comparison] = splitAfterList(rest.slice(end + 1));
        const changed = toChangedFiles(list);
        return { made: [], large, tree: rest.slice(0, end), changed, comparison: toComparison(comparison) };
      }
      const isEmpty = before === EMPTY_TREE;
      const script = isEmpty ? LIST_CREATED : `${LIST_CREATED}[ -s "$GIT_DIR/made" ] && exit\n${WRITE_PLAIN_TREE}`;
      const [made, tree] = splitAfterList(await runScript({ script }));
      if (made.length > 0) return { made, large: [] };
      return { made, large: [], tree: isEmpty ? EMPTY_TREE : tree.trim() };
    },
    compare: async () => {
      const state = isPlain ? 'list_state "$GIT_DIR/state.after"\n' : "";
      const script = `${state}list_repositories "$GIT_DIR/repositories.after"\n${COMPARE}`;
      return toComparison(await runScript({ script }));
    },
    listIgnored: async () => toList(await runScript({ script: LIST_IGNORED })),
    listFiles: async (tree) => toList(await run(["ls-tree", "-r", "-z", "--full-tree", "--name-only", tree])),
    listChanged: async (before, after) => {
      return toChangedFiles(
        toList(await run(["diff-tree", "-r", "-z", "--name-status", "--no-renames", before, after])),
      );
    },
    diffTrees: async (before, after, { output, hasBinary, excluded, excludedFromTop }) => {
      const paths = [
        ...excluded.map((path) => `:(exclude,literal)${path}`),
        ...excludedFromTop.map((path) => `:(top,exclude,literal)${path}`),
      ];
      const shown = hasBinary ? [...DIFF_OPTIONS, "--binary"] : DIFF_OPTIONS;
      const argv = ["diff-tree", ...shown, `--output=${output}`, before, after];
      // `GIT_LITERAL_PATHSPECS` is off for this command, because pathspec magic marks each path as literal.
      await run(paths.length === 0 ? argv : [...argv, "--", ...paths], { hasMagic: paths.length > 0 });
    },
  };
}
