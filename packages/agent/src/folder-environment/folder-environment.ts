import {
  type DirectoryEntry,
  EngineError,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
  type FileStat,
  type GlobOptions,
  type GrepOptions,
  type GrepResult,
  type ReadBytesOptions,
  type ReadFileOptions,
  type SpawnedProcess,
  type SpawnOptions,
} from "@switchyard/contracts";
import { noteBase } from "./base-environment.ts";
import { FolderPath } from "./folder-path.ts";

/**
 * A folder of an environment as an environment of its own: the same files and processes, limited to that folder.
 * Paths are confined to the folder by their text, and to the environment's workspace, links included, by the
 * environment itself at the moment of use. Disposing it ends nothing: everything belongs to the environment.
 * loop: §7.1, working directory of a subagent.
 */
class FolderEnvironment implements ExecutionEnvironment {
  readonly name: string;
  readonly workingDirectory: string;
  readonly platform: ExecutionEnvironment["platform"];
  readonly osVersion: string;
  readonly spawnShell?: NonNullable<ExecutionEnvironment["spawnShell"]>;
  readonly #base: ExecutionEnvironment;
  readonly #folder: FolderPath;

  constructor(base: ExecutionEnvironment, folder: FolderPath) {
    this.name = base.name;
    this.workingDirectory = folder.absolute;
    this.platform = base.platform;
    this.osVersion = base.osVersion;
    this.#base = base;
    this.#folder = folder;
    const spawnShell = base.spawnShell?.bind(base);
    if (spawnShell === undefined) return;
    this.spawnShell = async (command, options) => spawnShell(command, this.#in(options));
  }

  async readFile(path: string, options?: ReadFileOptions): Promise<string> {
    return this.#base.readFile(this.#folder.resolve(path), options);
  }

  async readBytes(path: string, options?: ReadBytesOptions): Promise<Uint8Array> {
    return this.#base.readBytes(this.#folder.resolve(path), options);
  }

  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    return this.#base.writeFile(this.#folder.resolve(path), content);
  }

  async exists(path: string): Promise<boolean> {
    return this.#base.exists(this.#folder.resolve(path));
  }

  async stat(path: string): Promise<FileStat> {
    return this.#base.stat(this.#folder.resolve(path));
  }

  async listDirectory(path: string, depth?: number): Promise<DirectoryEntry[]> {
    return this.#base.listDirectory(this.#folder.resolve(path), depth);
  }

  async makeDirectory(path: string): Promise<void> {
    return this.#base.makeDirectory(this.#folder.resolve(path));
  }

  async rename(from: string, to: string): Promise<void> {
    return this.#base.rename(this.#folder.resolve(from), this.#folder.resolve(to));
  }

  async remove(path: string): Promise<void> {
    return this.#base.remove(this.#folder.resolve(path));
  }

  async exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
    return this.#base.exec(argv, this.#in(options));
  }

  async shell(command: string, options?: ExecOptions): Promise<ExecResult> {
    return this.#base.shell(command, this.#in(options));
  }

  async spawn(argv: readonly string[], options?: SpawnOptions): Promise<SpawnedProcess> {
    return this.#base.spawn(argv, this.#in(options));
  }

  async grep(pattern: string, options: GrepOptions = {}): Promise<GrepResult> {
    const path = this.#folder.resolve(options.path ?? ".");
    const { matches, truncated } = await this.#base.grep(pattern, { ...options, path });
    return { matches: matches.map((match) => ({ ...match, path: this.#inside(match.path, path) })), truncated };
  }

  async glob(pattern: string, options: GlobOptions = {}): Promise<string[]> {
    const path = this.#folder.resolve(options.path ?? ".");
    const found = await this.#base.glob(pattern, { ...options, path });
    return found.map((file) => this.#inside(file, pattern));
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #in<T extends SpawnOptions>(options?: T): T | SpawnOptions {
    return { ...options, cwd: this.#folder.resolve(options?.cwd ?? ".") };
  }

  /** What was found, from the folder; a pattern may lead out of it. */
  #inside(path: string, asked: string): string {
    const inside = this.#folder.fromFolder(path);
    if (inside !== undefined) return inside;
    throw new EngineError("environment.path_outside_workspace", { path: asked, root: this.workingDirectory });
  }
}

/**
 * A folder of an environment as an environment; the environment itself for its own working directory. Rejects with
 * `environment.path_outside_workspace` when the folder is not in the workspace, `environment.file_not_found` or
 * `environment.not_a_directory` when it is none. loop: §7.2, working_dir.
 */
export async function openFolderEnvironment(
  environment: ExecutionEnvironment,
  path: string,
): Promise<ExecutionEnvironment> {
  const folder = new FolderPath(environment, path);
  if (folder.relative === "") return environment;
  const { kind } = await environment.stat(folder.absolute);
  if (kind !== "directory") throw new EngineError("environment.not_a_directory", { path });
  return folderEnvironment(environment, path);
}

/** The same without looking whether the folder is there: what is used of it later will tell. */
export function folderEnvironment(environment: ExecutionEnvironment, path: string): ExecutionEnvironment {
  const folder = new FolderPath(environment, path);
  if (folder.relative === "") return environment;
  const view = new FolderEnvironment(environment, folder);
  noteBase(view, environment);
  return view;
}
