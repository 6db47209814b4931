import type { FileNode, FolderNode, LayerNode } from "./layer-node.ts";
import { isAtOrBelow, joinRelative } from "./layer-node.ts";

/** A part of the base that is at another path in the view. */
export interface Move {
  /** Path in the base. */
  readonly from: string;
  /** Path in the view. */
  readonly to: string;
  readonly node: LayerNode;
}

/** The changes of a layer. */
export interface LayerPlan {
  /** Files with new content, by path in the view. */
  readonly files: ReadonlyMap<string, FileNode>;
  /** New folders, by path in the view, parents first. */
  readonly folders: ReadonlyMap<string, FolderNode>;
  /** Moves that are not part of another move. */
  readonly moves: readonly Move[];
  /** Removed base paths, whose content is not in the view, except what was moved from below them. */
  readonly gone: readonly string[];
}

/** Computes the plan of a layer. */
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
  return { files, folders, moves, gone: hidden.filter((path) => !alive.has(path)) };
}

/** Returns whether a base entry leaves its path, moved or removed. */
export function isTaken({ moves, gone }: LayerPlan, path: string): boolean {
  return isMoved({ moves }, path) || gone.some((one) => isAtOrBelow(one, path));
}

/** Returns whether a base entry moves, alone or with a parent folder. */
export function isMoved({ moves }: Pick<LayerPlan, "moves">, path: string): boolean {
  return moves.some(({ from }) => isAtOrBelow(from, path));
}

function sourceOf(node: LayerNode): string | undefined {
  if (node.kind === "base") return node.path;
  return node.kind === "file" ? node.origin : node.base;
}
