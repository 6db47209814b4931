import type { EntryKind, FileStat } from "@switchyard/contracts";
import type { WorkspaceRoot } from "../path/workspace-root.ts";

/** One entry of a tree. */
export interface TreeEntry {
  /** Path below the folder that was listed, with `/`. */
  readonly path: string;
  /** What it is; a link is not followed. */
  readonly kind: EntryKind;
  /** Size in bytes, of files. */
  readonly size: number;
  /** Last change, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** What a folder is listed for. */
export interface TreeListing {
  /** Names that are not wanted: folders of such a name need not be entered. What comes all the same is left out. */
  readonly skip: ReadonlySet<string>;
  /** Ends the listing when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** Content of one file. */
export interface TreeFile {
  /** Path as it was asked for. */
  readonly path: string;
  /** Its bytes in pieces of any size. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Files that are searched without ripgrep. Paths are below the working directory, with `/` and without `..`; the empty
 * path is the working directory itself.
 *
 * Contract: nothing outside of the working directory is listed or read, whatever links say. Failures of the place are
 * `environment.*` errors.
 */
export interface SearchTree {
  /** The working directory; its paths follow the rules of POSIX. */
  readonly root: WorkspaceRoot;
  /**
   * What is at a path, links followed. Throws `environment.file_not_found`, `environment.not_a_directory` where
   * something on the way is none, and `environment.path_outside_workspace` for a link that leads out.
   */
  stat(path: string): Promise<FileStat>;
  /**
   * Everything below a folder, in any order, in portions of any size. Contract: links below it are not followed; the
   * folder itself may be named through one. Folders below it that cannot be read count as empty.
   */
  list(folder: string, listing: TreeListing): AsyncIterable<readonly TreeEntry[]>;
  /**
   * Contents of files, in the order in which they were asked for. Contract: a path that is no regular file, or cannot
   * be read, is left out; links that stay inside are followed. The reader may turn to the next file, or end, before it
   * has taken the whole content.
   */
  read(paths: readonly string[], signal?: AbortSignal | undefined): AsyncIterable<TreeFile>;
}
