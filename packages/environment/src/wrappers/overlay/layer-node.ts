/** An unchanged entry of the base with everything below it, at the same or another path of the overlay. */
interface BaseNode {
  readonly kind: "base";
  /** Relative path in the base. */
  readonly path: string;
}

/** A file with new content in an overlay. */
export interface FileNode {
  readonly kind: "file";
  readonly bytes: Uint8Array;
  readonly modifiedMs: number;
  /** Path of the overwritten file in the base. `undefined` for a new file. */
  readonly origin: string | undefined;
}

/** A folder of an overlay that contains differences from the base. */
export interface FolderNode {
  readonly kind: "folder";
  /** Path of the base folder whose other entries are visible in this folder. `undefined` for a new folder. */
  readonly base: string | undefined;
  /** Differences by name. `undefined` for a removed base entry. */
  readonly entries: Map<string, LayerNode | undefined>;
  modifiedMs: number | undefined;
}

/** An entry of an overlay. */
export type LayerNode = BaseNode | FileNode | FolderNode;

/** Creates a folder of an overlay, without differences from the base. */
export function toFolderNode(base: string | undefined, modifiedMs?: number): FolderNode {
  return { kind: "folder", base, entries: new Map(), modifiedMs };
}

/** Joins a relative path and a name. The empty path is the workspace. */
export function joinRelative(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Returns whether a relative path equals another one or is below it. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Returns whether one of two relative paths equals the other or is below it. */
export function overlaps(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one);
}

/** Returns the number of names in a relative path. */
export function depthOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

/** Returns the number of bytes of file content stored in an entry of an overlay and below it. */
export function heldBytes(node: LayerNode | undefined): number {
  if (node === undefined || node.kind === "base") return 0;
  if (node.kind === "file") return node.bytes.length;
  let bytes = 0;
  for (const entry of node.entries.values()) bytes += heldBytes(entry);
  return bytes;
}
