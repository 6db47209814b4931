/** Something of the base, at whatever place of the view; all below it is of the base too. */
interface BaseNode {
  readonly kind: "base";
  /** Where it is in the base, relative. */
  readonly path: string;
}

/** A file with a content of its own. */
export interface FileNode {
  readonly kind: "file";
  readonly bytes: Uint8Array;
  readonly modifiedMs: number;
  /** The file of the base that was overwritten, where there is one. */
  readonly origin: string | undefined;
}

/** A folder in which something is different. */
export interface FolderNode {
  readonly kind: "folder";
  /** Folder of the base that shines through; undefined for a new one. */
  readonly base: string | undefined;
  /** What is different, by name; `undefined` where something of the base is gone. */
  readonly entries: Map<string, LayerNode | undefined>;
  modifiedMs: number | undefined;
}

/** A part of the layer. */
export type LayerNode = BaseNode | FileNode | FolderNode;

/** A folder of the view with nothing different in it yet. */
export function toFolderNode(base: string | undefined, modifiedMs?: number): FolderNode {
  return { kind: "folder", base, entries: new Map(), modifiedMs };
}

/** A name below a relative path; the empty path is the workspace. */
export function joinRelative(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Whether a relative path is another one or below it. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Whether one of two relative paths is the other or below it. */
export function overlaps(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one);
}

/** Number of names of a relative path. */
export function depthOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

/** Bytes that a part of the layer holds. */
export function heldBytes(node: LayerNode | undefined): number {
  if (node === undefined || node.kind === "base") return 0;
  if (node.kind === "file") return node.bytes.length;
  let bytes = 0;
  for (const entry of node.entries.values()) bytes += heldBytes(entry);
  return bytes;
}
