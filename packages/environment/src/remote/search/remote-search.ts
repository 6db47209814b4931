import type { GlobOptions, GrepOptions, GrepResult } from "@switchyard/contracts";
import { globTree } from "../../search/glob-tree.ts";
import { grepTree } from "../../search/grep-tree.ts";
import type { RemoteFiles } from "../file/remote-files.ts";
import type { RemoteProcesses } from "../remote-processes.ts";
import { createRemoteTree } from "./remote-tree.ts";

/** Searches the files of a place. */
export interface RemoteSearch {
  /** Lines that match a regular expression. */
  grep(pattern: string, options: GrepOptions): Promise<GrepResult>;
  /** Files that match a glob pattern. */
  glob(pattern: string, options: GlobOptions): Promise<string[]>;
}

/** What searches need. */
export interface RemoteSearchParts {
  readonly files: RemoteFiles;
  readonly processes: RemoteProcesses;
  /** Path of ripgrep in the place, where it is there. */
  readonly ripgrep: string | undefined;
}

/** Makes the searches of one environment. */
export function createRemoteSearch({ files }: RemoteSearchParts): RemoteSearch {
  const tree = createRemoteTree(files);
  return {
    grep: (pattern, options) => grepTree(tree, pattern, options),
    glob: (pattern, options) => globTree(tree, pattern, options),
  };
}
