import { compareNames } from "../../search/compare-names.ts";
import type { FolderNode, MemoryNode } from "./memory-node.ts";

/** A node and where it is. */
export interface ListedNode {
  /** Path below the folder that was listed, with `/`. */
  readonly path: string;
  /** What is there. */
  readonly node: MemoryNode;
}

/** What of a folder is listed. */
export interface NodeListing {
  /** Levels; all by default. */
  readonly depth?: number | undefined;
  /** Names that are left out. */
  readonly skip?: ReadonlySet<string> | undefined;
}

/** Everything in a folder, each folder followed by what is in it; names in the order of their characters. */
export function* listNodes(folder: FolderNode, listing: NodeListing = {}, prefix = ""): Generator<ListedNode> {
  const { depth = Number.POSITIVE_INFINITY, skip } = listing;
  if (depth < 1) return;
  for (const name of [...folder.entries.keys()].sort(compareNames)) {
    const node = folder.entries.get(name);
    // Removed while somebody looked at what came before it.
    if (node === undefined || skip?.has(name) === true) continue;
    yield { path: prefix + name, node };
    if (node.kind === "directory") yield* listNodes(node, { depth: depth - 1, skip }, `${prefix}${name}/`);
  }
}
