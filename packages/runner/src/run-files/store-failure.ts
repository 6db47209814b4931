import { EngineError, messageOf } from "@switchyard/contracts";

/** Converts a failed write to `run.store_failed`. Returns an `EngineError` unchanged. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}

/**
 * True if an error shows that another writer has taken over the run. This writer must then write nothing more. See
 * durability promise D6.
 */
export function isStale(error: unknown): error is EngineError {
  return EngineError.is(error, "store.stale_epoch");
}

/** Returns the operating system's error code, such as `ENOENT`; `undefined` if the error has no code. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
