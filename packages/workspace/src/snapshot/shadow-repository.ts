import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";
import { gitOf, type ShadowLocation } from "./shadow-git.ts";
import {
  type ChangedFiles,
  type Comparison,
  splitAfterList,
  toChangedFiles,
  toComparison,
  toList,
  toWrittenTree,
  type WrittenTree,
} from "./shadow-output.ts";
import { COMPARE, LIST_FILES, WRITE_DIFF } from "./shadow-scripts.ts";

/**
 * Separate git repository that stores snapshots of a workspace. It has its own index, objects and settings, so that
 * those of the user's repository stay unchanged.
 */
export interface ShadowRepository {
  /**
   * Examines the current files of the workspace, compares them with the snapshot whose git tree is `before`, and writes
   * the diff between the trees to a file. The comparison includes files that git ignores, and properties that git does
   * not store.
   */
  look(before: string, options: LookOptions): Promise<LaterLook>;
  /** Resolves with the paths of all files in a git tree, and the paths that git ignores now. */
  listFiles(tree: string): Promise<ListedFiles>;
  /** Writes the diff between two git trees to a file. */
  diffTrees(before: string, after: string, options: DiffOptions): Promise<void>;
}

/** Paths relative to the repository. */
interface ListedFiles {
  /** Files of the git tree. */
  readonly files: readonly string[];
  /** Ignored paths. Folders have a trailing `/`. */
  readonly ignored: readonly string[];
}

/** State after a run. */
interface LaterLook extends WrittenTree {
  /** Differences from the git tree before the run. */
  readonly changed: ChangedFiles;
  /** Differences that the git trees do not contain. */
  readonly comparison: Comparison;
  /**
   * Beginning of the diff, if it was requested. `undefined` if no diff was written, because it would contain files that
   * were ignored before the run.
   */
  readonly diff: string | undefined;
}

/** Options for examining a workspace after a run. */
interface LookOptions extends Pick<DiffOptions, "output" | "hasBinary" | "excluded"> {
  /** Script that runs first, with its arguments. */
  readonly first?: { readonly script: string; readonly args: readonly string[] } | undefined;
  /** Size of the beginning of the diff to return, in bytes. Default: 0. */
  readonly shown?: number | undefined;
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

/** Opens an existing repository for snapshots. */
export function openShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  location: ShadowLocation,
): ShadowRepository {
  const runScript = gitOf(environment, repository, location);
  return {
    look: async (before, { first, output, hasBinary, excluded, shown }) => {
      const paths = excluded.map(toExcluded);
      const own = [before, output, ...optionsOf(hasBinary, ""), shown === undefined ? "" : String(shown), ...paths];
      const script = `${first?.script ?? ""}${COMPARE}`;
      const [tree, afterTree] = splitAfterList(await runScript({ script, args: [...(first?.args ?? []), ...own] }));
      const [changed, afterChanged] = splitAfterList(afterTree);
      const end = afterChanged.indexOf("\0");
      const diff = afterChanged.slice(end + 1);
      return {
        ...toWrittenTree(tree),
        changed: toChangedFiles(changed),
        comparison: toComparison(afterChanged.slice(0, end)),
        diff: diff === "?" ? undefined : diff,
      };
    },
    listFiles: async (tree) => {
      const [files, ignored] = splitAfterList(await runScript({ script: LIST_FILES, args: [tree] }));
      return { files, ignored: toList(ignored) };
    },
    diffTrees: async (before, after, { output, hasBinary, excluded, excludedFromTop }) => {
      const paths = [...excluded.map(toExcluded), ...excludedFromTop.map((path) => `:(top,exclude,literal)${path}`)];
      const args = [before, after, output, ...optionsOf(hasBinary), "--", ...paths];
      await runScript({ script: WRITE_DIFF, args });
    },
  };
}

function toExcluded(path: string): string {
  return `:(exclude,literal)${path}`;
}

function optionsOf(hasBinary: boolean, none?: string): string[] {
  if (hasBinary) return ["--binary"];
  return none === undefined ? [] : [none];
}
