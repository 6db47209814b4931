import type { EntryKind } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";

/** A file operation, for error messages. */
export interface FileOperation {
  /** Verb in the infinitive, for example `read`. */
  readonly operation: string;
  /** Path as given by the caller. */
  readonly path: string;
  /** Real path of the workspace. */
  readonly root: string;
}

/** Error code for a path outside the workspace. It is used like an error code of the operating system. */
export const OUTSIDE = "EOUTSIDE";

/** Creates an error with a code, like those of the operating system. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** Returns the operating system's error code, for example `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Converts a file system error to an `environment.*` error. An `EngineError` is returned unchanged. */
export function toFileError(error: unknown, { operation, path, root }: FileOperation): EngineError {
  if (EngineError.is(error)) return error;
  const options = { cause: error };
  switch (systemCodeOf(error)) {
    case OUTSIDE:
      return new EngineError("environment.path_outside_workspace", { path, root }, options);
    case "ENOENT":
      return new EngineError("environment.file_not_found", { path }, options);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new EngineError("environment.permission_denied", { path }, options);
    case "EISDIR":
      return new EngineError("environment.not_a_file", { path, found: "a folder" }, options);
    case "ENOTDIR":
      return new EngineError("environment.not_a_directory", { path }, options);
    case "EEXIST":
    case "ENOTEMPTY":
      return new EngineError("environment.already_exists", { path }, options);
    case "ENAMETOOLONG":
      return new EngineError(
        "environment.invalid_path",
        { path: path.slice(0, 200), problem: "it is too long" },
        options,
      );
    case "ELOOP":
      return new EngineError("environment.invalid_path", { path, problem: "its links form a cycle" }, options);
    case "ENOSPC":
    case "EDQUOT":
      return new EngineError("environment.disk_full", { path }, options);
    default:
      return new EngineError("environment.io_failed", { operation, path, problem: describeProblem(error) }, options);
  }
}

/**
 * Describes the problem of a system error. The error's path is omitted, because it may be an internal `/proc/self/fd`
 * path.
 */
function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error ? error.message.split(", ", 1).join() : error.message;
}

/** Methods of a stat result that distinguish files, folders and links. */
export interface KindTests {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}

/** Returns the type of a file system entry: file, folder, link or other. */
export function entryKindOf(entry: KindTests): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

/** Throws `environment.not_a_file` unless the entry is a regular file. */
export function assertRegularFile(entry: KindTests, path: string): void {
  if (!entry.isFile()) throw new EngineError("environment.not_a_file", { path, found: describe(entry) });
}

function describe(entry: KindTests): string {
  if (entry.isDirectory()) return "a folder";
  if (entry.isFIFO()) return "a named pipe";
  if (entry.isSocket()) return "a socket";
  if (entry.isCharacterDevice() || entry.isBlockDevice()) return "a device";
  return entry.isSymbolicLink() ? "a link" : "something else";
}
