import type { DirectoryEntry, FileContent, FileStat, ReadBytesOptions, ReadFileOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { OUTSIDE, systemCodeOf, systemError, toFileError } from "../local/workspace/to-file-error.ts";
import { toBytes } from "../output/to-bytes.ts";
import { pathBelow, resolvePosixPath } from "../path/posix-path.ts";
import type { WorkspaceRoot } from "../path/workspace-root.ts";
import { linesOf } from "./lines-of.ts";
import { listNodes } from "./tree/list-nodes.ts";
import type { FolderNode, MemoryNode } from "./tree/memory-node.ts";
import type { MemoryTree } from "./tree/memory-tree.ts";
import type { ResolveOptions } from "./tree/resolve-path.ts";

/** Number of bytes that git checks to detect a binary file. */
const BINARY_CHECK_BYTES = 8000;

/** File operations in memory, confined to the workspace folder. Paths are relative to the workspace or absolute. */
export class MemoryWorkspace {
  readonly root: WorkspaceRoot;
  readonly #tree: MemoryTree;
  readonly #maxReadBytes: number;
  readonly #confined: Required<Pick<ResolveOptions, "confine">>;

  constructor(tree: MemoryTree, options: { real: string; maxReadBytes: number }) {
    this.root = { real: options.real };
    this.#tree = tree;
    this.#maxReadBytes = options.maxReadBytes;
    this.#confined = {
      confine: (real) => {
        if (pathBelow(options.real, real) === undefined) throw systemError(OUTSIDE, real);
      },
    };
  }

  /** Returns the text of a range of lines. BOM and line endings are preserved, and invalid UTF-8 becomes U+FFFD. */
  readText(path: string, window: ReadFileOptions): string {
    const bytes = this.fileBytes(path);
    if (bytes.subarray(0, BINARY_CHECK_BYTES).includes(0)) throw new EngineError("environment.binary_file", { path });
    const lines = linesOf(bytes, window);
    this.#assertReadable(path, { bytes: bytes.length, wanted: lines.length });
    if (lines.includes(0)) throw new EngineError("environment.binary_file", { path });
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(lines);
  }

  /** Returns a copy of a range of a file's bytes. */
  readBytes(path: string, window: ReadBytesOptions): Uint8Array {
    const bytes = this.fileBytes(path);
    const offset = Math.min(bytes.length, Math.max(0, Math.floor(window.offset ?? 0)));
    const length = Math.min(bytes.length - offset, Math.max(0, Math.floor(window.length ?? bytes.length)));
    this.#assertReadable(path, { bytes: bytes.length, wanted: length });
    return bytes.slice(offset, offset + length);
  }

  /** Returns a read-only view of a file's bytes. Throws `environment.not_a_file` for a folder. */
  fileBytes(path: string): Uint8Array {
    return this.#tree.file(this.#absolute(path), this.#confined).content.bytes;
  }

  write(path: string, content: FileContent): void {
    this.#tree.write(this.#target(path), toBytes(content), { ...this.#confined, makeFolders: true });
  }

  stat(path: string): FileStat {
    const { node } = this.#tree.at(this.#absolute(path), this.#confined);
    return { kind: node.kind, size: sizeOf(node), modifiedMs: node.modifiedMs };
  }

  /** Returns the folder at a path, following symbolic links. */
  folder(path: string): FolderNode {
    return this.#tree.folder(this.#absolute(path), this.#confined);
  }

  /** Returns the path of a folder with links resolved. */
  realFolder(path: string): string {
    const { node, real } = this.#tree.at(this.#absolute(path), this.#confined);
    if (node.kind !== "directory") throw systemError("ENOTDIR", path);
    return real;
  }

  list(path: string, depth: number): DirectoryEntry[] {
    return [...listNodes(this.folder(path), { depth })].map(({ path: name, node }) =>
      node.kind === "file" ? { name, kind: node.kind, size: sizeOf(node) } : { name, kind: node.kind },
    );
  }

  makeDirectory(path: string): void {
    const absolute = this.#absolute(path);
    this.#tree.makeFolder(absolute, { ...this.#confined, makeFolders: true });
  }

  /** Renames an entry. Throws `environment.*` errors that name the affected path. */
  rename(from: string, to: string): void {
    const source = this.#target(from);
    const about = { operation: "rename", root: this.root.real };
    try {
      this.#tree.at(source, { ...this.#confined, followLast: false });
    } catch (error) {
      throw toFileError(error, { ...about, path: from });
    }
    const target = this.#target(to);
    try {
      this.#tree.rename(source, target, { ...this.#confined, makeFolders: true });
    } catch (error) {
      if (systemCodeOf(error) !== "EINVAL") throw toFileError(error, { ...about, path: to });
      throw new EngineError(
        "environment.invalid_path",
        { path: to, problem: `it is inside ${from}` },
        { cause: error },
      );
    }
  }

  remove(path: string): void {
    this.#tree.remove(this.#target(path), { ...this.#confined, recursive: true });
  }

  /** Returns every file in the workspace by its path. Links are omitted. */
  files(): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>();
    for (const { path, node } of listNodes(this.folder("."))) {
      if (node.kind === "file") files.set(path, node.content.bytes.slice());
    }
    return files;
  }

  #absolute(path: string): string {
    return resolvePosixPath(this.root, path).absolute;
  }

  /** Resolves the path of an entry that will be changed. Rejects the root of the workspace. */
  #target(path: string): string {
    const { absolute, relative } = resolvePosixPath(this.root, path);
    if (relative !== "") return absolute;
    throw new EngineError("environment.invalid_path", { path, problem: "it is the workspace itself" });
  }

  #assertReadable(path: string, { bytes, wanted }: { bytes: number; wanted: number }): void {
    if (wanted <= this.#maxReadBytes) return;
    throw new EngineError("environment.file_too_large", { path, bytes, maxBytes: this.#maxReadBytes });
  }
}

/** Returns the size of a file in bytes, or 0 for any other entry. */
export function sizeOf(node: MemoryNode): number {
  return node.kind === "file" ? node.content.size : 0;
}
