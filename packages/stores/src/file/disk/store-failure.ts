import { EngineError, messageOf } from "@switchyard/contracts";

/** Returns the system error code (`ENOENT`, …); `undefined` if there is none. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

// Matches error messages of the operating system, such as `EROFS: read-only file system, rename '…' -> '…'`.
const SYSTEM_MESSAGE = /^([A-Z0-9]+): (.+?), [a-z]+(?: '.*)?$/s;
/** System error codes that do not mean a damaged file: access is denied, or temporarily impossible. */
const UNREADABLE_CODES: readonly (string | undefined)[] = ["EACCES", "EPERM", "EIO", "EMFILE", "ENFILE", "ENOMEM"];

/** Returns the operating system's message without its paths, because the error names the relevant path itself. */
function problemOf(error: unknown): string {
  return messageOf(error).replace(SYSTEM_MESSAGE, "$2 ($1)");
}

/** Returns the error of a failed file access: `run.store_failed`. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: problemOf(error) }, { cause: error });
}

/** Returns the error for a file or folder that exists but cannot be read, so that its content is unknown. */
export function toUnreadable(error: unknown, path: string): EngineError {
  return new EngineError("store.unreadable", { path, problem: problemOf(error) }, { cause: error });
}

/**
 * Returns `store.unreadable` if a file could not be read. `undefined` if the failure means that the file itself is
 * invalid.
 */
export function unreadableFrom(error: unknown, path: string): EngineError | undefined {
  return UNREADABLE_CODES.includes(systemCodeOf(error)) ? toUnreadable(error, path) : undefined;
}
