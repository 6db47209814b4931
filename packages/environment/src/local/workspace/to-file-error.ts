import type { EntryKind } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";

/** What was being done, for the message. */
export interface FileOperation {
  /** Verb in the present, for instance `read`. */
  readonly operation: string;
  /** Path as the caller wrote it. */
  readonly path: string;
  /** Real path of the workspace. */
  readonly root: string;
}

/** Code of the error for a place outside the workspace, beside those of the operating system. */
export const OUTSIDE = "EOUTSIDE";

/** An error with a code like those of the operating system. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** The code the operating system gave, for instance `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** A failure of the file system as an `environment.*` error; an error of the table passes through. */
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
      return new EngineError("environment.invalid_path", { path, problem: "its links lead in a circle" }, options);
    case "ENOSPC":
    case "EDQUOT":
      return new EngineError("environment.disk_full", { path }, options);
    default:
      return new EngineError("environment.io_failed", { operation, path, problem: describeProblem(error) }, options);
  }
}

/** Without the path of the system call, which may be that of a descriptor. */
function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error ? error.message.split(", ", 1).join() : error.message;
}

/** The parts of a stat that tell kinds apart. */
export interface KindTests {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}

/** Kind of an entry. */
export function entryKindOf(entry: KindTests): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

/** Refuses everything but a regular file with `environment.not_a_file`. */
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
