import type { GlobOptions, GrepOptions, GrepResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import { globTree } from "../../search/glob-tree.ts";
import { grepTree } from "../../search/grep-tree.ts";
import type { RemoteFiles } from "../file/remote-files.ts";
import type { RemoteProcesses } from "../remote-processes.ts";
import { createRemoteTree } from "./remote-tree.ts";
import { ripgrepFolder } from "./ripgrep-folder.ts";

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
  /** Where open files of the place are found by their descriptor; empty where they are not. */
  readonly descriptors: string;
}

/** Makes the searches of one environment. */
export function createRemoteSearch({ files, processes, ripgrep, descriptors }: RemoteSearchParts): RemoteSearch {
  const tree = createRemoteTree(files);
  return {
    async grep(pattern, options) {
      options.signal?.throwIfAborted();
      const path = options.path ?? files.workspace.real;
      const { relative } = resolveWorkspacePath(files.workspace, path);
      const isFolder = ripgrep !== undefined && (await tree.stat(relative)).kind === "directory";
      if (!isFolder) return grepTree(tree, pattern, options);
      try {
        const found = await ripgrepFolder({ tree, processes, ripgrep, descriptors, relative }, pattern, options);
        if (found !== undefined) return found;
      } catch (error) {
        // An old ripgrep does not know every argument: only what neither of the two takes is a wrong pattern.
        if (!EngineError.is(error, "environment.invalid_pattern")) throw error;
      }
      return grepTree(tree, pattern, options);
    },
    glob: (pattern, options) => globTree(tree, pattern, options),
  };
}
