import type { FileNode, FolderNode, LayerNode } from "./layer-node.ts";
import { isAtOrBelow, joinRelative } from "./layer-node.ts";

/** A part of the base that is somewhere else in the view. */
export interface Move {
  /** Where it is in the base. */
  readonly from: string;
  /** Where it is in the view. */
  readonly to: string;
  readonly node: LayerNode;
}

/** What a layer comes to. */
export interface LayerPlan {
  /** Files with a content of their own, by their place in the view. */
  readonly files: ReadonlyMap<string, FileNode>;
  /** New folders, by their place in the view, each behind those above it. */
  readonly folders: ReadonlyMap<string, FolderNode>;
  /** What moves with nothing above it. */
  readonly moves: readonly Move[];
  /** Places of the base that are hidden, and whose content is nowhere in the view, but for what moved from below them. */
  readonly gone: readonly string[];
}

/** Reads the plan off a layer. */
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

/** Whether something of the base is taken away from its place, be it moved or gone. */
export function isTaken({ moves, gone }: LayerPlan, path: string): boolean {
  return isMoved({ moves }, path) || gone.some((one) => isAtOrBelow(one, path));
}

/** Whether something of the base moves, alone or with a folder above it. */
export function isMoved({ moves }: Pick<LayerPlan, "moves">, path: string): boolean {
  return moves.some(({ from }) => isAtOrBelow(from, path));
}

function sourceOf(node: LayerNode): string | undefined {
  if (node.kind === "base") return node.path;
  return node.kind === "file" ? node.origin : node.base;
}
