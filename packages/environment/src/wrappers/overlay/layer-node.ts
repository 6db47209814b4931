/**
 * A file or folder of an overlay that is unchanged from the base environment, contents included. Its path in the
 * overlay may differ.
 */
interface BaseNode {
  readonly kind: "base";
  /** Relative path in the base environment. */
  readonly path: string;
}

/** A file with new content in an overlay. */
export interface FileNode {
  readonly kind: "file";
  readonly bytes: Uint8Array;
  readonly modifiedMs: number;
  /** Path of the overwritten file in the base environment. `undefined` for a new file. */
  readonly origin: string | undefined;
}

/** A folder of an overlay that differs from the base environment. */
export interface FolderNode {
  readonly kind: "folder";
  /**
   * Path of a folder in the base environment. Its entries are visible in this folder, except those in `entries`.
   * `undefined` for a new folder.
   */
  readonly base: string | undefined;
  /** New, changed and removed entries of this folder, by name. The value is `undefined` for a removed entry. */
  readonly entries: Map<string, LayerNode | undefined>;
  modifiedMs: number | undefined;
}

/** A file or folder of an overlay: changed in the overlay, or unchanged from the base environment. */
export type LayerNode = BaseNode | FileNode | FolderNode;

/** Creates a folder of an overlay that does not differ from the base environment yet. */
export function toFolderNode(base: string | undefined, modifiedMs?: number): FolderNode {
  return { kind: "folder", base, entries: new Map(), modifiedMs };
}

/** Joins a relative path and a name. The empty path is the workspace. */
export function joinRelative(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Returns whether a relative path is the given folder or below it. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Returns whether two relative paths are equal, or one of them is below the other. */
export function overlaps(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one);
}

/** Returns the number of names in a relative path. */
export function depthOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

/** Returns the number of bytes of file content that the overlay stores for a file, or for all files below a folder. */
export function bytesOf(node: LayerNode | undefined): number {
  if (node === undefined || node.kind === "base") return 0;
  if (node.kind === "file") return node.bytes.length;
  let bytes = 0;
  for (const entry of node.entries.values()) bytes += bytesOf(entry);
  return bytes;
}
