import type { FileNode, FolderNode, LayerNode } from "./layer-node.ts";
import { isAtOrBelow, joinRelative } from "./layer-node.ts";

/** A file or folder of the base environment that has another path in the overlay. A folder moves with its contents. */
export interface Move {
  /** Path in the base. */
  readonly from: string;
  /** Path in the overlay. */
  readonly to: string;
  readonly node: LayerNode;
}

/** The changes of an overlay, in a form that can be applied to its base environment. */
export interface LayerPlan {
  /** Files with new content, by path in the overlay. */
  readonly files: ReadonlyMap<string, FileNode>;
  /** New folders, by path in the overlay, parents first. */
  readonly folders: ReadonlyMap<string, FolderNode>;
  /** Moved files and folders. Entries that move only because their parent folder moves are not listed. */
  readonly moves: readonly Move[];
  /**
   * Paths of the base environment that are removed. Entries below such a path may have been moved elsewhere before, and
   * then still exist in the overlay.
   */
  readonly deleted: readonly string[];
}

/** Returns the changes of an overlay, in a form that can be applied to its base environment. */
export function planOf(root: FolderNode): LayerPlan {
  const files = new Map<string, FileNode>();
  const folders = new Map<string, FolderNode>();
  const moves: Move[] = [];
  const hidden: string[] = [];
  const alive = new Set<string>();
  const visit = (folder: FolderNode, at: string): void => {
    for (const [name, node] of folder.entries) {
      const path = joinRelative(at, name);
      const home = folder.base === undefined ? undefined : joinRelative(folder.base, name);
      if (home !== undefined) hidden.push(home);
      if (node === undefined) continue;
      const source = sourceOf(node);
      if (source !== undefined) alive.add(source);
      if (source !== undefined && source !== home) moves.push({ from: source, to: path, node });
      if (node.kind === "file") files.set(path, node);
      if (node.kind === "folder" && node.base === undefined) folders.set(path, node);
      if (node.kind === "folder") visit(node, path);
    }
  };
  visit(root, "");
  return { files, folders, moves, deleted: hidden.filter((path) => !alive.has(path)) };
}

/** Returns whether the overlay moves or removes a path of the base environment. */
export function isCovered({ moves, deleted }: LayerPlan, path: string): boolean {
  return isMoved({ moves }, path) || deleted.some((one) => isAtOrBelow(one, path));
}

/** Returns whether the overlay moves a path of the base environment, either itself or a parent folder. */
export function isMoved({ moves }: Pick<LayerPlan, "moves">, path: string): boolean {
  return moves.some(({ from }) => isAtOrBelow(from, path));
}

function sourceOf(node: LayerNode): string | undefined {
  if (node.kind === "base") return node.path;
  return node.kind === "file" ? node.origin : node.base;
}
