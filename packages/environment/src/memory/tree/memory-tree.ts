import { systemCodeOf, systemError } from "../../local/workspace/to-file-error.ts";
import { FileContent } from "./file-content.ts";
import type { FileNode, FolderNode, MemoryNode } from "./memory-node.ts";
import type { ResolvedPath, ResolveOptions } from "./resolve-path.ts";
import { resolvePath } from "./resolve-path.ts";

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
const LINK_MODE = 0o777;
/**
 * Number of bytes by which each name counts towards the maximum total size. This also limits the number of empty files.
 */
const ENTRY_BYTES = 256;

/** Options for creating a `MemoryTree`, which stores files in memory. */
export interface MemoryTreeOptions {
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Maximum total size of all files and names, in bytes. */
  readonly maxBytes: number;
}

/** Options for resolving the path of an entry that will be created, changed or removed. */
export interface ChangeOptions extends Pick<ResolveOptions, "confine"> {
  /** If true, creates missing parent folders. */
  readonly makeFolders?: boolean | undefined;
}

/**
 * Files, folders and links in memory. Paths are absolute and follow POSIX rules. Errors have operating system codes
 * such as ENOENT, or ENOSPC if the maximum size is exceeded.
 */
export class MemoryTree {
  readonly #options: MemoryTreeOptions;
  readonly #root: FolderNode;
  #usedBytes = 0;
  #nodes = 0;
  #lastMs = 0;

  constructor(options: MemoryTreeOptions) {
    this.#options = options;
    this.#root = this.#newFolder();
  }

  /**
   * Returns the file, folder or link at a path. Symbolic links are followed unless the options say otherwise. Throws
   * ENOENT.
   */
  at(path: string, options?: ResolveOptions): ResolvedPath & { readonly node: MemoryNode } {
    const resolved = resolvePath(this.#root, path, options);
    if (resolved.node === undefined) throw systemError("ENOENT", path);
    return { ...resolved, node: resolved.node };
  }

  /** Returns the file or folder at a path, following symbolic links. `undefined` if the path does not exist. */
  find(path: string): MemoryNode | undefined {
    try {
      return resolvePath(this.#root, path).node;
    } catch (error) {
      if (systemCodeOf(error) === undefined) throw error;
      return undefined;
    }
  }

  /** Returns the file at a path. Throws EISDIR if the path is a folder. */
  file(path: string, options?: ResolveOptions): FileNode {
    const { node } = this.at(path, options);
    if (node.kind !== "file") throw systemError("EISDIR", path);
    return node;
  }

  /** Returns the folder at a path. Throws ENOTDIR if the path is not a folder. */
  folder(path: string, options?: ResolveOptions): FolderNode {
    const { node } = this.at(path, options);
    if (node.kind !== "directory") throw systemError("ENOTDIR", path);
    return node;
  }

  /** Writes a whole file, following symbolic links. If the maximum size would be exceeded, nothing is changed. */
  write(path: string, bytes: Uint8Array, options: ChangeOptions = {}): FileNode {
    return this.#change(path, options, (content) => {
      this.#charge(bytes.length - content.size);
      content.replace(bytes);
    });
  }

  /** Appends bytes to a file, creating it if necessary. */
  append(path: string, bytes: Uint8Array, options: ChangeOptions = {}): FileNode {
    return this.#change(path, options, (content) => {
      this.#charge(bytes.length);
      content.append(bytes);
    });
  }

  /** Creates a folder. With `makeFolders`, also creates missing parents, and succeeds if the folder already exists. */
  makeFolder(path: string, options: ChangeOptions = {}): void {
    // The path is a link whose target is missing. A file could be created at the target, but a folder cannot.
    if (this.#isDangling(path)) throw systemError(options.makeFolders === true ? "ENOENT" : "EEXIST", path);
    const resolved = this.#resolve(path, options, true);
    if (resolved.node?.kind === "directory" && options.makeFolders === true) return;
    if (resolved.node !== undefined) throw systemError(options.makeFolders === true ? "ENOTDIR" : "EEXIST", path);
    this.#add(resolved, this.#newFolder());
  }

  /** Creates a symbolic link. */
  makeLink(path: string, target: string): void {
    const resolved = this.#resolve(path, {}, false);
    if (resolved.node !== undefined) throw systemError("EEXIST", path);
    this.#add(resolved, { ...this.#newFacts(LINK_MODE), kind: "symlink", target });
  }

  /** Creates a hard link to a file. */
  addName(existing: string, path: string): void {
    const file = this.at(existing, { followLast: false }).node;
    if (file.kind !== "file") throw systemError("EPERM", existing);
    const resolved = this.#resolve(path, {}, false);
    if (resolved.node !== undefined) throw systemError("EEXIST", path);
    this.#add(resolved, file);
    file.names += 1;
  }

  /**
   * Removes a file, folder or link. A folder that is not empty is removed only with `recursive`. A link's target is not
   * removed.
   */
  remove(path: string, options: Pick<ResolveOptions, "confine"> & { recursive: boolean }): void {
    const resolved = this.at(path, { ...options, followLast: false });
    if (resolved.node === this.#root) throw systemError("EBUSY", path);
    if (resolved.node.kind === "directory" && resolved.node.entries.size > 0 && !options.recursive) {
      throw systemError("ENOTEMPTY", path);
    }
    resolved.parent.entries.delete(resolved.name);
    resolved.parent.modifiedMs = this.#tick();
    this.#release(resolved.node);
  }

  /** Renames an entry. An existing file or empty folder at the new path is replaced. */
  rename(from: string, to: string, options: ChangeOptions = {}): void {
    const source = this.at(from, { ...options, followLast: false });
    const target = this.#resolve(to, options, false);
    const replaced = target.node;
    if (replaced === source.node) return;
    if (source.node === this.#root || target.name === "") throw systemError("EBUSY", from);
    if (source.node.kind === "directory" && `${target.real}/`.startsWith(`${source.real}/`)) {
      throw systemError("EINVAL", to);
    }
    if (replaced?.kind === "directory") {
      if (source.node.kind !== "directory") throw systemError("EISDIR", to);
      if (replaced.entries.size > 0) throw systemError("ENOTEMPTY", to);
    } else if (replaced !== undefined && source.node.kind === "directory") {
      throw systemError("ENOTDIR", to);
    }
    if (replaced !== undefined) this.#release(replaced);
    source.parent.entries.delete(source.name);
    target.parent.entries.set(target.name, source.node);
    source.parent.modifiedMs = this.#tick();
    target.parent.modifiedMs = source.parent.modifiedMs;
  }

  #change(path: string, options: ChangeOptions, change: (content: FileContent) => void): FileNode {
    const resolved = this.#resolve(path, options, true);
    if (resolved.node !== undefined && resolved.node.kind !== "file") throw systemError("EISDIR", path);
    if (resolved.node === undefined && path.endsWith("/")) throw systemError("EISDIR", path);
    const file = resolved.node ?? this.#newFile();
    change(file.content);
    if (resolved.node === undefined) this.#add(resolved, file);
    file.modifiedMs = this.#tick();
    return file;
  }

  #resolve(path: string, { makeFolders = false, confine }: ChangeOptions, followLast: boolean): ResolvedPath {
    const makeFolder = (): FolderNode => {
      this.#charge(ENTRY_BYTES);
      return this.#newFolder();
    };
    return resolvePath(this.#root, path, { followLast, confine, ...(makeFolders ? { makeFolder } : {}) });
  }

  #isDangling(path: string): boolean {
    try {
      if (resolvePath(this.#root, path, { followLast: false }).node?.kind !== "symlink") return false;
    } catch {
      return false;
    }
    try {
      return resolvePath(this.#root, path).node === undefined;
    } catch (error) {
      return systemCodeOf(error) === "ENOENT";
    }
  }

  #add({ parent, name }: ResolvedPath, node: MemoryNode): void {
    this.#charge(ENTRY_BYTES);
    parent.entries.set(name, node);
    parent.modifiedMs = this.#tick();
  }

  /** Releases the space of a file, folder or link to which no name refers. */
  #release(node: MemoryNode): void {
    this.#usedBytes -= ENTRY_BYTES;
    if (node.kind === "directory") for (const inner of node.entries.values()) this.#release(inner);
    if (node.kind !== "file") return;
    node.names -= 1;
    if (node.names === 0) this.#usedBytes -= node.content.size;
  }

  #charge(bytes: number): void {
    if (this.#usedBytes + bytes > this.#options.maxBytes) throw systemError("ENOSPC", "the files in memory");
    this.#usedBytes += bytes;
  }

  #newFile(): FileNode {
    return { ...this.#newFacts(FILE_MODE), kind: "file", content: new FileContent(), names: 1 };
  }

  #newFolder(): FolderNode {
    return { ...this.#newFacts(FOLDER_MODE), kind: "directory", entries: new Map() };
  }

  #newFacts(mode: number): { id: number; mode: number; modifiedMs: number } {
    this.#nodes += 1;
    return { id: this.#nodes, mode, modifiedMs: this.#tick() };
  }

  /**
   * Returns a time later than that of every earlier change. With a clock of millisecond resolution, two files could
   * otherwise have the same time.
   */
  #tick(): number {
    this.#lastMs = Math.max(this.#options.now(), this.#lastMs + 0.001);
    return this.#lastMs;
  }
}
