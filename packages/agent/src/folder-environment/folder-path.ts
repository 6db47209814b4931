import { posix, win32 } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";

/**
 * Path of a folder within an environment. Checks only the text of paths; the environment checks symbolic links when a
 * path is used.
 */
export class FolderPath {
  /** Absolute path. */
  readonly absolute: string;
  /**
   * Path relative to the environment's working directory, with `/` separators. Empty for the working directory itself.
   */
  readonly relative: string;
  readonly #rules: typeof posix;

  /** Throws `environment.path_outside_workspace` if the folder is not in the environment's working directory. */
  constructor({ workingDirectory, platform }: ExecutionEnvironment, path: string) {
    this.#rules = platform === "windows" ? win32 : posix;
    this.absolute = this.#rules.resolve(workingDirectory, path);
    this.relative = this.#below(workingDirectory, path);
  }

  /** Resolves a path relative to the folder. Throws `environment.path_outside_workspace`. */
  resolve(path: string): string {
    // Invalid paths are passed on, because the base environment rejects them.
    if (path === "" || path.includes("\0")) return path;
    const absolute = this.#rules.resolve(this.absolute, path);
    this.#assertBelow(this.absolute, absolute, path);
    return absolute;
  }

  /**
   * Converts a path relative to the environment's working directory to one relative to the folder. `undefined` if the
   * path is outside the folder.
   */
  fromFolder(path: string): string | undefined {
    if (this.relative === "") return path;
    return path.startsWith(`${this.relative}/`) ? path.slice(this.relative.length + 1) : undefined;
  }

  #below(root: string, path: string): string {
    return this.#assertBelow(root, this.absolute, path).split(this.#rules.sep).join("/");
  }

  #assertBelow(root: string, absolute: string, path: string): string {
    const relative = this.#rules.relative(root, absolute);
    const isOutside =
      relative === ".." || relative.startsWith(`..${this.#rules.sep}`) || this.#rules.isAbsolute(relative);
    if (isOutside) throw new EngineError("environment.path_outside_workspace", { path, root });
    return relative;
  }
}
