import type { EntryKind, FileStat } from "@switchyard/contracts";
import type { WorkspaceRoot } from "../path/workspace-root.ts";

/** A file, folder or link below a listed folder. */
export interface TreeEntry {
  /** Path relative to the listed folder, with `/`. */
  readonly path: string;
  /** Type of the entry. A symbolic link is reported as a link, not as its target. */
  readonly kind: EntryKind;
  /** Size of a file, in bytes. */
  readonly size: number;
  /** Modification time, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Options for listing a folder. */
export interface TreeListing {
  /**
   * Names of files and folders to exclude. The contents of excluded folders need not be listed. If excluded entries are
   * returned nevertheless, they are ignored.
   */
  readonly skip: ReadonlySet<string>;
  /** Aborts the listing. */
  readonly signal?: AbortSignal | undefined;
}

/** Content of one file. */
export interface TreeFile {
  /** Path as requested. */
  readonly path: string;
  /** Content of the file, as chunks of any size. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Access to files for searches without ripgrep. Paths are relative to the working directory, with `/` and without `..`;
 * the empty path is the working directory.
 *
 * Contract: nothing outside the working directory is listed or read, even through links. Failures are `environment.*`
 * errors.
 */
export interface SearchTree {
  /** Working directory of the environment. Paths follow POSIX rules. */
  readonly root: WorkspaceRoot;
  /**
   * Stats a path, following links. Throws `environment.file_not_found`, `environment.not_a_directory` if a parent is
   * not a folder, and `environment.path_outside_workspace` for a link that leads out of the working directory.
   */
  stat(path: string): Promise<FileStat>;
  /**
   * Lists the whole tree below a folder, in any order, in batches of any size. Contract: links below the folder are not
   * followed, but the folder itself may be a link. Unreadable subfolders count as empty.
   */
  list(folder: string, listing: TreeListing): AsyncIterable<readonly TreeEntry[]>;
  /**
   * Yields the contents of files in the requested order. Contract: unreadable files, and paths that are not regular
   * files, are skipped; links that stay inside the working directory are followed. The consumer may continue with the
   * next file before it has read the whole content of the current one.
   */
  read(paths: readonly string[], signal?: AbortSignal | undefined): AsyncIterable<TreeFile>;
}
