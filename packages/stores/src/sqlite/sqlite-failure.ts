import { EngineError, messageOf } from "@switchyard/contracts";

/** The database's name of what went wrong (`SQLITE_BUSY`, …), where it has one. */
function sqliteCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether another connection is writing at the moment, so that the same call may succeed soon. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error)?.startsWith("SQLITE_BUSY") === true;
}

/** Whether the database itself is damaged, or no database at all. */
function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === "SQLITE_NOTADB" || code?.startsWith("SQLITE_CORRUPT") === true;
}

/** What could not be written, as the error a caller meets: its own, or `run.store_failed` naming the database. */
export function toWriteFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}

/** What could not be read, as the error a caller meets: its own, `store.malformed`, or `run.store_failed`. */
export function toReadFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  if (!isDamage(error)) return toWriteFailure(error, path);
  return new EngineError("store.malformed", { path, problem: messageOf(error) }, { cause: error });
}
