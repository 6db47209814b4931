import type { FileContent } from "./file-content.ts";

interface NodeFacts {
  /** Id of the file, folder or link, unique among the files in memory. */
  readonly id: number;
  /** Permission bits. They are stored but not enforced. */
  mode: number;
  /** Modification time, in milliseconds since 1970. */
  modifiedMs: number;
}

/** A file in memory. Several names (hard links) may refer to the same file. */
export interface FileNode extends NodeFacts {
  readonly kind: "file";
  readonly content: FileContent;
  /** Number of names (hard links). */
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

/** A file, folder or symbolic link in memory, to which a name in a folder refers. */
export type MemoryNode = FileNode | FolderNode | LinkNode;
