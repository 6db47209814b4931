import type {
  DirectoryEntry,
  ExecOptions,
  ExecResult,
  ExecutionEnvironment,
  FileContent,
  FileStat,
  GlobOptions,
  GrepOptions,
  GrepResult,
  ReadBytesOptions,
  ReadFileOptions,
  SpawnedProcess,
  SpawnOptions,
} from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf, toFileError } from "../local/workspace/to-file-error.ts";
import { entryExists } from "../path/entry-exists.ts";
import { globTree } from "../search/glob-tree.ts";
import { grepTree } from "../search/grep-tree.ts";
import type { SearchTree } from "../search/search-tree.ts";
import { createMemorySearchTree } from "./memory-search-tree.ts";
import type { MemoryWorkspace } from "./memory-workspace.ts";
import type { MemoryCommands } from "./shell/memory-commands.ts";

/** Files and command runner that a memory environment consists of. */
export interface MemoryEnvironmentParts {
  readonly workspace: MemoryWorkspace;
  readonly commands: MemoryCommands;
}

/** An environment that exists only in memory: it uses no files and processes of the host. Its files can be exported. */
export class MemoryEnvironment implements ExecutionEnvironment {
  readonly name = "memory";
  readonly workingDirectory: string;
  readonly platform = "wasm";
  /** Version string of the operating system. It is constant, because a memory environment has no operating system. */
  readonly osVersion = "0";
  readonly #workspace: MemoryWorkspace;
  readonly #commands: MemoryCommands;
  readonly #tree: SearchTree;
  #closed: Promise<void> | undefined;

  constructor({ workspace, commands }: MemoryEnvironmentParts) {
    this.#workspace = workspace;
    this.#commands = commands;
    this.#tree = createMemorySearchTree(workspace);
    this.workingDirectory = workspace.root.real;
  }

  /**
   * Returns a copy of every file in the workspace, by relative path; links are omitted. Can be called after disposal,
   * so that results can be exported.
   */
  files(): Map<string, Uint8Array> {
    return this.#workspace.files();
  }

  readFile(path: string, options: ReadFileOptions = {}): Promise<string> {
    return this.#guard("read", path, () => this.#workspace.readText(path, options));
  }

  readBytes(path: string, options: ReadBytesOptions = {}): Promise<Uint8Array> {
    return this.#guard("read", path, () => this.#workspace.readBytes(path, options));
  }

  writeFile(path: string, content: FileContent): Promise<void> {
    return this.#guard("write", path, () => this.#workspace.write(path, content));
  }

  exists(path: string): Promise<boolean> {
    return entryExists(() => this.stat(path));
  }

  stat(path: string): Promise<FileStat> {
    return this.#guard("stat", path, () => this.#workspace.stat(path));
  }

  listDirectory(path: string, depth = 1): Promise<DirectoryEntry[]> {
    return this.#guard("list", path, () => this.#workspace.list(path, depth));
  }

  makeDirectory(path: string): Promise<void> {
    return this.#guard("make", path, () => this.#workspace.makeDirectory(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#guard("rename", from, () => this.#workspace.rename(from, to));
  }

  remove(path: string): Promise<void> {
    return this.#guard("remove", path, () => this.#workspace.remove(path));
  }

  exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return this.#guard("open", options.cwd ?? ".", () => this.#commands.exec(argv, options));
  }

  shell(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    return this.#guard("open", options.cwd ?? ".", () => this.#commands.shell(command, options));
  }

  spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SpawnedProcess> {
    return this.#guard("open", options.cwd ?? ".", () => this.#commands.spawn(argv, options));
  }

  spawnShell(command: string, options: SpawnOptions = {}): Promise<SpawnedProcess> {
    return this.#guard("open", options.cwd ?? ".", () => this.#commands.spawnShell(command, options));
  }

  grep(pattern: string, options: GrepOptions = {}): Promise<GrepResult> {
    return this.#guard("search", options.path ?? ".", () => grepTree(this.#tree, pattern, options));
  }

  glob(pattern: string, options: GlobOptions = {}): Promise<string[]> {
    return this.#guard("search", options.path ?? pattern, () => globTree(this.#tree, pattern, options));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#commands.close();
    return this.#closed;
  }

  async #guard<T>(operation: string, path: string, work: () => T | Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new EngineError("environment.closed");
    try {
      return await work();
    } catch (error) {
      // An error without a system code comes from the caller: an abort reason, or an error of the output listener.
      if (systemCodeOf(error) === undefined) throw error;
      throw toFileError(error, { operation, path, root: this.workingDirectory });
    }
  }
}
