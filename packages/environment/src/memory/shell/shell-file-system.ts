import type { FileContent, FsStat, IFileSystem } from "just-bash";
import { systemCodeOf } from "../../local/workspace/to-file-error.ts";
import { joinPosixPath, normalizePosixPath } from "../../path/posix-path.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import { listNodes } from "../tree/list-nodes.ts";
import type { MemoryNode } from "../tree/memory-node.ts";
import type { ChangeOptions, MemoryTree } from "../tree/memory-tree.ts";
import { decodeContent, encodeContent } from "./encode-content.ts";

/**
 * Function that receives the bytes that a command writes to a special path. The command waits until the returned
 * promise resolves.
 */
export type ShellSink = (bytes: Uint8Array) => void | Promise<void>;

type Encoding = string | { readonly encoding?: string | null | undefined } | undefined;

type ShellEntry = Pick<FsStat, "isFile" | "isDirectory" | "isSymbolicLink"> & { readonly name: string };

/**
 * Error messages by system error code. The emulated shell expects this format and searches error messages for the
 * codes.
 */
const PROBLEMS: Readonly<Record<string, string>> = {
  EBUSY: "resource busy or locked",
  EEXIST: "file already exists",
  EINVAL: "invalid argument",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many levels of symbolic links",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  EPERM: "operation not permitted",
};

/** File system of the emulated shell. It contains the files of the memory environment, and no files of the host. */
export class ShellFileSystem implements IFileSystem {
  readonly #tree: MemoryTree;
  readonly #sinks = new Map<string, ShellSink>();
  readonly #turns = createTimeSlicer();

  constructor(tree: MemoryTree) {
    this.#tree = tree;
  }

  /** Installs a function that receives all bytes written to a special path. Returns a function that uninstalls it. */
  addSink(path: string, sink: ShellSink): () => void {
    this.#sinks.set(path, sink);
    return () => this.#sinks.delete(path);
  }

  readFile(path: string, options?: Encoding): Promise<string> {
    return this.#do("open", path, () => decodeContent(this.#bytesOf(path), encodingOf(options)));
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#do("open", path, () => this.#bytesOf(path).slice());
  }

  async writeFile(path: string, content: FileContent, options?: Encoding): Promise<void> {
    const sink = this.#sinks.get(path);
    if (sink !== undefined) return this.#emit(sink, encodeContent(content, encodingOf(options)));
    return this.#do("open", path, () => this.writeFileSync(path, content, options));
  }

  async appendFile(path: string, content: FileContent, options?: Encoding): Promise<void> {
    const bytes = encodeContent(content, encodingOf(options));
    const sink = this.#sinks.get(path);
    if (sink !== undefined) return this.#emit(sink, bytes);
    await this.#do("open", path, () => this.#tree.append(path, bytes, { makeFolders: true }));
  }

  /** Synchronous, because the emulated shell installs its programs in the file tree before it runs commands. */
  writeFileSync(path: string, content: FileContent, options?: Encoding): void {
    this.#tree.write(path, encodeContent(content, encodingOf(options)), { makeFolders: true });
  }

  /** Synchronous variant of `mkdir`. */
  mkdirSync(path: string, options?: { recursive?: boolean }): void {
    this.#tree.makeFolder(path, toChange(options));
  }

  async exists(path: string): Promise<boolean> {
    if (this.#sinks.has(path)) return true;
    try {
      return await this.#do("stat", path, () => this.#tree.at(path) !== undefined);
    } catch {
      return false;
    }
  }

  stat(path: string): Promise<FsStat> {
    return this.#do("stat", path, () => this.#statOf(path, true));
  }

  lstat(path: string): Promise<FsStat> {
    return this.#do("lstat", path, () => this.#statOf(path, false));
  }

  mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
    return this.#do("mkdir", path, () => this.mkdirSync(path, options));
  }

  readdir(path: string): Promise<string[]> {
    return this.#do("scandir", path, () => [...this.#tree.folder(path).entries.keys()].sort());
  }

  readdirWithFileTypes(path: string): Promise<ShellEntry[]> {
    return this.#do("scandir", path, () =>
      [...this.#tree.folder(path).entries].map(([name, node]) => ({ name, ...kindsOf(node) })),
    );
  }

  rm(path: string, { recursive = false, force = false }: { recursive?: boolean; force?: boolean } = {}): Promise<void> {
    return this.#do("rm", path, () => {
      try {
        this.#tree.remove(path, { recursive });
      } catch (error) {
        if (!force || systemCodeOf(error) !== "ENOENT") throw error;
      }
    });
  }

  cp(source: string, target: string, { recursive = false }: { recursive?: boolean } = {}): Promise<void> {
    return this.#do("cp", source, () => {
      const { node, real } = this.#tree.at(source);
      if (node.kind === "directory" && !recursive) throw Object.assign(new Error("EISDIR"), { code: "EISDIR" });
      const goal = normalizePosixPath(target);
      if (node.kind === "directory" && `${goal}/`.startsWith(`${real}/`)) {
        throw Object.assign(new Error("EINVAL"), { code: "EINVAL" });
      }
      this.#copy(node, goal);
    });
  }

  mv(source: string, target: string): Promise<void> {
    return this.#do("mv", source, () => this.#tree.rename(source, target, { makeFolders: true }));
  }

  resolvePath(base: string, path: string): string {
    return normalizePosixPath(path.startsWith("/") ? path : joinPosixPath(base, path));
  }

  getAllPaths(): string[] {
    return ["/", ...[...listNodes(this.#tree.folder("/"))].map(({ path }) => `/${path}`)];
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#do("chmod", path, () => {
      this.#tree.at(path).node.mode = mode & 0o7777;
    });
  }

  symlink(target: string, path: string): Promise<void> {
    return this.#do("symlink", path, () => this.#tree.makeLink(path, target));
  }

  link(existing: string, path: string): Promise<void> {
    return this.#do("link", path, () => this.#tree.addName(existing, path));
  }

  readlink(path: string): Promise<string> {
    return this.#do("readlink", path, () => {
      const { node } = this.#tree.at(path, { followLast: false });
      if (node.kind !== "symlink") throw Object.assign(new Error("EINVAL"), { code: "EINVAL" });
      return node.target;
    });
  }

  realpath(path: string): Promise<string> {
    return this.#do("realpath", path, () => this.#tree.at(path).real);
  }

  utimes(path: string, _accessed: Date, modified: Date): Promise<void> {
    return this.#do("utimes", path, () => {
      this.#tree.at(path).node.modifiedMs = modified.getTime();
    });
  }

  #bytesOf(path: string): Uint8Array {
    return this.#tree.file(path).content.bytes;
  }

  #statOf(path: string, followLast: boolean): FsStat {
    if (this.#sinks.has(path)) return { ...NO_FILE, mtime: new Date(0) };
    const { node } = this.#tree.at(path, { followLast });
    return {
      ...kindsOf(node),
      mode: node.mode,
      size: node.kind === "file" ? node.content.size : 0,
      mtime: new Date(node.modifiedMs),
      ino: node.id,
    };
  }

  #copy(node: MemoryNode, target: string): void {
    if (node.kind === "symlink") {
      this.#tree.makeLink(target, node.target);
    } else if (node.kind === "file") {
      this.#tree.write(target, node.content.bytes, { makeFolders: true }).mode = node.mode;
    } else {
      this.#tree.makeFolder(target, { makeFolders: true });
      for (const [name, inner] of [...node.entries]) this.#copy(inner, joinPosixPath(target, name));
    }
  }

  async #emit(sink: ShellSink, bytes: Uint8Array): Promise<void> {
    // Lets other work run even if a shell statement wrote no output. Otherwise a loop of such statements would block
    // the event loop.
    if (this.#turns.isOver()) await this.#turns.next();
    await sink(bytes);
  }

  async #do<T>(operation: string, path: string, work: () => T): Promise<T> {
    // Commands await only file operations. Without yielding here, a long command would block the event loop.
    if (this.#turns.isOver()) await this.#turns.next();
    try {
      return work();
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === undefined) throw error;
      throw Object.assign(new Error(`${code}: ${PROBLEMS[code] ?? code}, ${operation} '${path}'`, { cause: error }), {
        code,
      });
    }
  }
}

const NO_FILE = { isFile: false, isDirectory: false, isSymbolicLink: false, mode: 0o620, size: 0 } as const;

function kindsOf({ kind }: MemoryNode): Pick<FsStat, "isFile" | "isDirectory" | "isSymbolicLink"> {
  return { isFile: kind === "file", isDirectory: kind === "directory", isSymbolicLink: kind === "symlink" };
}

function toChange(options: { recursive?: boolean } | undefined): ChangeOptions {
  return { makeFolders: options?.recursive === true };
}

function encodingOf(options: Encoding): string | undefined {
  return (typeof options === "object" ? options.encoding : options) ?? undefined;
}
