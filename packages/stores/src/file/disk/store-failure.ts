import { EngineError, messageOf } from "@switchyard/contracts";

/** The system's code of a failed call (`ENOENT`, …), where it has one. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

// What the system says, such as `EROFS: read-only file system, rename '…' -> '…'`.
const SYSTEM_MESSAGE = /^([A-Z0-9]+): (.+?), [a-z]+(?: '.*)?$/s;
/** Codes that say nothing about what is in a file: it may not be read, or not now. */
const UNREADABLE_CODES: readonly (string | undefined)[] = ["EACCES", "EPERM", "EIO", "EMFILE", "ENFILE", "ENOMEM"];

/** What the system says about a failed call, without the paths: the error names the one that matters. */
function problemOf(error: unknown): string {
  return messageOf(error).replace(SYSTEM_MESSAGE, "$2 ($1)");
}

/** A failed access to the files of a run as the error that ends it: `run.store_failed`. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: problemOf(error) }, { cause: error });
}

/** A file or folder that may not be read, or not now; nothing is known about what is in it. */
export function toUnreadable(error: unknown, path: string): EngineError {
  return new EngineError("store.unreadable", { path, problem: problemOf(error) }, { cause: error });
}

/** A failed read of a file as `store.unreadable`; nothing when the file is not what it should be. */
export function unreadableFrom(error: unknown, path: string): EngineError | undefined {
  return UNREADABLE_CODES.includes(systemCodeOf(error)) ? toUnreadable(error, path) : undefined;
}
