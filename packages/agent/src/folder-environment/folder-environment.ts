import {
  type DirectoryEntry,
  EngineError,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
  type FileContent,
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
 * Environment that restricts another environment to one of its folders, with the same files and processes. Checks only
 * the text of paths. The base environment resolves links and confines access to its workspace. Disposing it has no
 * effect. See loop: §7.1, working directory of a subagent.
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
    this.spawnShell = (command, options) =>
      this.#at(options?.cwd ?? ".", (cwd) => spawnShell(command, { ...options, cwd }));
  }

  async readFile(path: string, options?: ReadFileOptions): Promise<string> {
    return this.#at(path, (absolute) => this.#base.readFile(absolute, options));
  }

  async readBytes(path: string, options?: ReadBytesOptions): Promise<Uint8Array> {
    return this.#at(path, (absolute) => this.#base.readBytes(absolute, options));
  }

  async writeFile(path: string, content: FileContent): Promise<void> {
    return this.#at(path, (absolute) => this.#base.writeFile(absolute, content));
  }

  async exists(path: string): Promise<boolean> {
    return this.#at(path, (absolute) => this.#base.exists(absolute));
  }

  async stat(path: string): Promise<FileStat> {
    return this.#at(path, (absolute) => this.#base.stat(absolute));
  }

  async listDirectory(path: string, depth?: number): Promise<DirectoryEntry[]> {
    return this.#at(path, (absolute) => this.#base.listDirectory(absolute, depth));
  }

  async makeDirectory(path: string): Promise<void> {
    return this.#at(path, (absolute) => this.#base.makeDirectory(absolute));
  }

  async rename(from: string, to: string): Promise<void> {
    return this.#at(from, (source) =>
      this.#at(to, (target) => this.#base.rename(this.#entry(source), this.#entry(target))),
    );
  }

  async remove(path: string): Promise<void> {
    return this.#at(path, (absolute) => this.#base.remove(this.#entry(absolute)));
  }

  async exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
    return this.#at(options?.cwd ?? ".", (cwd) => this.#base.exec(argv, { ...options, cwd }));
  }

  async shell(command: string, options?: ExecOptions): Promise<ExecResult> {
    return this.#at(options?.cwd ?? ".", (cwd) => this.#base.shell(command, { ...options, cwd }));
  }

  async spawn(argv: readonly string[], options?: SpawnOptions): Promise<SpawnedProcess> {
    return this.#at(options?.cwd ?? ".", (cwd) => this.#base.spawn(argv, { ...options, cwd }));
  }

  async grep(pattern: string, options: GrepOptions = {}): Promise<GrepResult> {
    return this.#at(options.path ?? ".", async (path) => {
      const hidden = options.isHidden;
      const isHidden = hidden === undefined ? undefined : (found: string) => hidden(this.#inside(found, path));
      const { matches, truncated } = await this.#base.grep(pattern, { ...options, path, isHidden });
      return { matches: matches.map((match) => ({ ...match, path: this.#inside(match.path, path) })), truncated };
    });
  }

  async glob(pattern: string, options: GlobOptions = {}): Promise<string[]> {
    return this.#at(options.path ?? ".", async (path) => {
      const found = await this.#base.glob(pattern, { ...options, path });
      return found.map((file) => this.#inside(file, pattern));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Returns the path of an entry to rename or remove. Throws `environment.invalid_path` for the folder itself. */
  #entry(path: string): string {
    if (path !== this.workingDirectory) return path;
    throw new EngineError("environment.invalid_path", { path, problem: "it is the workspace itself" });
  }

  /** Calls a function with the absolute path. Errors report the path as the caller passed it. */
  async #at<T>(path: string, work: (absolute: string) => Promise<T>): Promise<T> {
    const absolute = this.#folder.resolve(path);
    try {
      return await work(absolute);
    } catch (error) {
      if (!EngineError.is(error) || error.details["path"] !== absolute) throw error;
      throw new EngineError(error.code, { ...error.details, path }, { cause: error.cause });
    }
  }

  /**
   * Converts a path that the base environment returned to a path relative to the folder. Throws
   * `environment.path_outside_workspace` if the path is outside the folder.
   */
  #inside(path: string, requested: string): string {
    const inside = this.#folder.fromFolder(path);
    if (inside !== undefined) return inside;
    throw new EngineError("environment.path_outside_workspace", { path: requested, root: this.workingDirectory });
  }
}

/**
 * Opens a folder of an environment as a separate environment. Returns the environment itself for its working directory.
 * Rejects with `environment.path_outside_workspace`, `environment.file_not_found` or `environment.not_a_directory`. See
 * loop: §7.2, working_dir.
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

/**
 * Opens a folder of an environment without checking that the folder exists. If the folder is missing, later operations
 * reject.
 */
export function folderEnvironment(environment: ExecutionEnvironment, path: string): ExecutionEnvironment {
  const folder = new FolderPath(environment, path);
  if (folder.relative === "") return environment;
  const view = new FolderEnvironment(environment, folder);
  noteBase(view, environment);
  return view;
}
