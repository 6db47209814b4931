import type { FileContent } from "./file-content.ts";

interface NodeFacts {
  /** Number that no other node of the tree has. */
  readonly id: number;
  /** Permission bits; nothing is refused because of them. */
  mode: number;
  /** Last change, in milliseconds since 1970. */
  modifiedMs: number;
}

/** A file; more than one name may lead to it. */
export interface FileNode extends NodeFacts {
  readonly kind: "file";
  readonly content: FileContent;
  /** Number of names. */
  names: number;
}

/** A folder. */
export interface FolderNode extends NodeFacts {
  readonly kind: "directory";
  readonly entries: Map<string, MemoryNode>;
}

/** A symbolic link. */
interface LinkNode extends NodeFacts {
  readonly kind: "symlink";
  readonly target: string;
}

/** What a name stands for. */
export type MemoryNode = FileNode | FolderNode | LinkNode;
