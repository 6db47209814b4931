import { compareNames } from "../../search/compare-names.ts";
import type { FolderNode, MemoryNode } from "./memory-node.ts";

/** A file, folder or link in memory, and its path. */
export interface ListedNode {
  /** Path relative to the listed folder, with `/`. */
  readonly path: string;
  /** File, folder or link at the path. */
  readonly node: MemoryNode;
}

/** Options for listing a folder. */
export interface NodeListing {
  /** Maximum depth. Default: unlimited. */
  readonly depth?: number | undefined;
  /** Names to skip. */
  readonly skip?: ReadonlySet<string> | undefined;
}

/** Lists a folder recursively. Each subfolder is followed by its contents. Names are in UTF-16 code unit order. */
export function* listNodes(folder: FolderNode, listing: NodeListing = {}, prefix = ""): Generator<ListedNode> {
  const { depth = Number.POSITIVE_INFINITY, skip } = listing;
  if (depth < 1) return;
  for (const name of [...folder.entries.keys()].sort(compareNames)) {
    const node = folder.entries.get(name);
    // The entry was removed while the caller processed an earlier one.
    if (node === undefined || skip?.has(name) === true) continue;
    yield { path: prefix + name, node };
    if (node.kind === "directory") yield* listNodes(node, { depth: depth - 1, skip }, `${prefix}${name}/`);
  }
}
