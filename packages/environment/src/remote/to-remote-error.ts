import { EngineError } from "@switchyard/contracts";
import type { FileOperation } from "../local/workspace/to-file-error.ts";
import { systemError, toFileError } from "../local/workspace/to-file-error.ts";

/**
 * Error messages of the operating system in the C locale, and their error codes such as ENOENT. The messages are
 * identical on Linux, BSD and busybox.
 */
const SAYINGS: readonly (readonly [saying: string, code: string])[] = [
  ["No such file or directory", "ENOENT"],
  ["Not a directory", "ENOTDIR"],
  ["Too many levels of symbolic links", "ELOOP"],
  ["Symbolic link loop", "ELOOP"],
  ["File name too long", "ENAMETOOLONG"],
  ["Permission denied", "EACCES"],
  ["Operation not permitted", "EPERM"],
  ["Read-only file system", "EROFS"],
  ["No space left on device", "ENOSPC"],
  ["Disk quota exceeded", "EDQUOT"],
  ["Is a directory", "EISDIR"],
  ["Directory not empty", "ENOTEMPTY"],
  ["File exists", "EEXIST"],
];
const MAX_MESSAGE_CHARS = 300;

/** Converts an error code of the remote script, or a system message, to an `EngineError`. */
export function toRemoteError(message: string, operation: FileOperation): EngineError {
  const [, code, detail = ""] = /@([A-Z]+)(?: (.*))?$/.exec(message) ?? [];
  if (code === "ENOTREG") return new EngineError("environment.not_a_file", { path: operation.path, found: detail });
  const { operation: verb, path } = operation;
  if (code === "EMISSING")
    return new EngineError("environment.io_failed", { operation: verb, path, problem: `${detail} is missing there` });
  const found = code ?? SAYINGS.find(([saying]) => message.includes(saying))?.[1];
  return toFileError(systemError(found ?? "EIO", message.slice(0, MAX_MESSAGE_CHARS)), operation);
}
