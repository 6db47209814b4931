import type { EntryKind, FileStat } from "@switchyard/contracts";
import type { WorkspaceRoot } from "../path/workspace-root.ts";

/** A file, folder or link below a listed folder. */
export interface TreeEntry {
  /** Path below the listed folder, with `/`. */
  readonly path: string;
  /** Kind of the entry. Links are not followed. */
  readonly kind: EntryKind;
  /** Size of a file, in bytes. */
  readonly size: number;
  /** Modification time, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Options for listing a folder. */
export interface TreeListing {
  /**
   * Names to exclude. Folders with these names need not be entered. If excluded entries are returned, they are ignored.
   */
  readonly skip: ReadonlySet<string>;
  /** Aborts the listing. */
  readonly signal?: AbortSignal | undefined;
}

/** Content of one file. */
export interface TreeFile {
  /** Path as requested. */
  readonly path: string;
  /** Content of the file, in chunks of any size. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Files for searches without ripgrep. Paths are below the working directory, with `/` and without `..`; the empty path
 * is the working directory.
 *
 * Contract: nothing outside the working directory is listed or read, even through links. Failures are `environment.*`
 * errors.
 */
export interface SearchTree {
  /** Working directory. Paths follow POSIX rules. */
  readonly root: WorkspaceRoot;
  /**
   * Stats a path, following links. Throws `environment.file_not_found`, `environment.not_a_directory` if a parent is
   * not a folder, and `environment.path_outside_workspace` for a link that leads out of the working directory.
   */
  stat(path: string): Promise<FileStat>;
  /**
   * Lists everything below a folder, in any order, in batches of any size. Contract: links below the folder are not
   * followed, but the folder itself may be a link. Unreadable folders below it count as empty.
   */
  list(folder: string, listing: TreeListing): AsyncIterable<readonly TreeEntry[]>;
  /**
   * Yields the contents of files in the requested order. Contract: paths that are not regular files, or unreadable, are
   * skipped; links that stay inside the working directory are followed. The consumer may move to the next file, or
   * stop, before reading the whole content.
   */
  read(paths: readonly string[], signal?: AbortSignal | undefined): AsyncIterable<TreeFile>;
}
