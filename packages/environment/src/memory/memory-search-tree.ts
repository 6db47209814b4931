import type { FileStat } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf, toFileError } from "../local/workspace/to-file-error.ts";
import type { SearchTree, TreeEntry, TreeFile } from "../search/search-tree.ts";
import type { MemoryWorkspace } from "./memory-workspace.ts";
import { sizeOf } from "./memory-workspace.ts";
import { listNodes } from "./tree/list-nodes.ts";

/** Maximum number of entries returned in one batch. */
const PORTION = 256;

/** Creates the object through which searches access the files of a memory workspace. */
export function createMemorySearchTree(workspace: MemoryWorkspace): SearchTree {
  return {
    root: workspace.root,
    stat: async (path): Promise<FileStat> => {
      try {
        return workspace.stat(orCurrentFolder(path));
      } catch (error) {
        throw toFileError(error, { operation: "search", path, root: workspace.root.real });
      }
    },
    async *list(path, { skip }) {
      let portion: TreeEntry[] = [];
      for (const { path: below, node } of listNodes(workspace.folder(orCurrentFolder(path)), { skip })) {
        portion.push({ path: below, kind: node.kind, size: sizeOf(node), modifiedMs: node.modifiedMs });
        if (portion.length < PORTION) continue;
        yield portion;
        portion = [];
      }
      yield portion;
    },
    async *read(paths): AsyncGenerator<TreeFile> {
      for (const path of paths) {
        const bytes = readIfExists(workspace, path);
        if (bytes !== undefined) yield { path, content: [bytes] };
      }
    },
  };
}

function orCurrentFolder(path: string): string {
  return path === "" ? "." : path;
}

function readIfExists(workspace: MemoryWorkspace, path: string): Uint8Array | undefined {
  try {
    return workspace.fileBytes(path);
  } catch (error) {
    // The file was removed or replaced after it had been listed.
    if (systemCodeOf(error) === undefined && !EngineError.is(error)) throw error;
    return undefined;
  }
}
