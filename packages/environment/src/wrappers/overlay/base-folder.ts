import type { DirectoryEntry, EntryKind, ExecutionEnvironment, FileStat } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";

const ALL_LEVELS = Number.MAX_SAFE_INTEGER;

interface KnownLinks {
  readonly modifiedMs: number;
  readonly names: ReadonlySet<string>;
}

/**
 * Access to the base environment of an overlay. Paths are relative and contain no symbolic links; the empty path is the
 * workspace.
 */
export class BaseFolder {
  readonly environment: ExecutionEnvironment;
  readonly #links = new Map<string, KnownLinks>();

  constructor(environment: ExecutionEnvironment) {
    this.environment = environment;
  }

  /** Returns the type of the entry at a path, without following a link. `undefined` if the path does not exist. */
  async kindOf(path: string): Promise<EntryKind | undefined> {
    if (path !== "" && (await this.#hasLink(path))) return "symlink";
    return (await this.statIfExists(path))?.kind;
  }

  /** Stats a path. `undefined` if the path does not exist. */
  async statIfExists(path: string): Promise<FileStat | undefined> {
    return ifExists(this.environment.stat(orCurrentFolder(path)));
  }

  /** Lists a folder. Empty if the folder no longer exists. */
  async list(path: string): Promise<DirectoryEntry[]> {
    return (await ifExists(this.environment.listDirectory(orCurrentFolder(path)))) ?? [];
  }

  /** Lists all files and folders below a folder, at any depth. */
  async listAll(path: string): Promise<DirectoryEntry[]> {
    return (await ifExists(this.environment.listDirectory(orCurrentFolder(path), ALL_LEVELS))) ?? [];
  }

  /**
   * Reads the target of a symbolic link. Throws `environment.invalid_path`, with the path that the caller gave, if the
   * base environment cannot run `readlink`.
   */
  async readLink(path: string, given: string): Promise<string> {
    const problem = `it leads through the link ${path}, which cannot be read in this environment`;
    try {
      const { stdout, exitCode } = await this.environment.exec(["readlink", "-n", `./${path}`]);
      if (exitCode === 0 && stdout !== "") return stdout;
    } catch (error) {
      throw new EngineError("environment.invalid_path", { path: given, problem }, { cause: error });
    }
    throw new EngineError("environment.invalid_path", { path: given, problem });
  }

  /**
   * Returns whether a path is a symbolic link. Only a listing of its parent folder shows this, so the listing is cached
   * as long as the folder is unchanged.
   */
  async #hasLink(path: string): Promise<boolean> {
    const at = path.lastIndexOf("/");
    const [folder, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
    const modifiedMs = (await this.statIfExists(folder))?.modifiedMs;
    if (modifiedMs === undefined) return false;
    const known = this.#links.get(folder);
    if (known?.modifiedMs === modifiedMs) return known.names.has(name);
    const names = await this.#linksIn(folder);
    this.#links.set(folder, { modifiedMs, names });
    return names.has(name);
  }

  async #linksIn(folder: string): Promise<Set<string>> {
    try {
      const links = (await this.list(folder)).filter(({ kind }) => kind === "symlink");
      return new Set(links.map(({ name }) => name));
    } catch (error) {
      // The folder can be entered but not listed.
      if (EngineError.is(error, "environment.permission_denied")) return new Set();
      throw error;
    }
  }
}

/** Converts a relative path to one that environments accept: the empty path becomes `.`. */
export function orCurrentFolder(path: string): string {
  return path === "" ? "." : path;
}

/** Resolves with the result of a call, or with `undefined` if the path does not exist. */
export async function ifExists<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return undefined;
    if (EngineError.is(error, "environment.not_a_directory")) return undefined;
    throw error;
  }
}
