import type { GlobOptions, GrepOptions, GrepResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import { globTree } from "../../search/glob-tree.ts";
import { grepTree } from "../../search/grep-tree.ts";
import type { RemoteFiles } from "../file/remote-files.ts";
import type { RemoteProcesses } from "../remote-processes.ts";
import { createRemoteTree } from "./remote-tree.ts";
import { ripgrepFolder } from "./ripgrep-folder.ts";

/** Searches remote files. */
export interface RemoteSearch {
  /** Returns lines that match a regular expression. */
  grep(pattern: string, options: GrepOptions): Promise<GrepResult>;
  /** Returns files that match a glob pattern. */
  glob(pattern: string, options: GlobOptions): Promise<string[]>;
}

/** Dependencies of remote searches. */
export interface RemoteSearchParts {
  readonly files: RemoteFiles;
  readonly processes: RemoteProcesses;
  /** Path of the remote ripgrep. `undefined` if it is not installed. */
  readonly ripgrep: string | undefined;
  /**
   * Path of a folder that lists a process's open files by descriptor, such as `/proc/self/fd`. Empty if the system has
   * none.
   */
  readonly descriptors: string;
}

/** Creates the object that searches the files of a remote environment. */
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
        // ripgrep may have rejected the search because of an invalid pattern, or because an old ripgrep does not know
        // an argument. The following search without ripgrep fails only if the pattern is invalid.
        if (!EngineError.is(error, "environment.invalid_pattern")) throw error;
      }
      return grepTree(tree, pattern, options);
    },
    glob: (pattern, options) => globTree(tree, pattern, options),
  };
}
