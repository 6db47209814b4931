import { EngineError, messageOf } from "@switchyard/contracts";

/** Returns the database error code (`SQLITE_BUSY`, …); `undefined` if there is none. */
function sqliteCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Returns true if another connection is writing, so that the same call may succeed soon. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error)?.startsWith("SQLITE_BUSY") === true;
}

/** Returns true if the file is damaged or not a database. */
function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === "SQLITE_NOTADB" || code?.startsWith("SQLITE_CORRUPT") === true;
}

/**
 * Converts the error of a failed write to `run.store_failed` with the path of the database. An `EngineError` is
 * returned unchanged.
 */
export function toWriteFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}

/**
 * Converts the error of a failed read to `store.malformed` or `run.store_failed`. An `EngineError` is returned
 * unchanged.
 */
export function toReadFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  if (!isDamage(error)) return toWriteFailure(error, path);
  return new EngineError("store.malformed", { path, problem: messageOf(error) }, { cause: error });
}
