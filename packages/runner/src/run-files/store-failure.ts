import { EngineError, messageOf } from "@switchyard/contracts";

/** Converts a failed write to `run.store_failed`. Returns an `EngineError` unchanged. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}

/** True if another writer owns the run, so that nothing more may be written. D6. */
export function isStale(error: unknown): error is EngineError {
  return EngineError.is(error, "store.stale_epoch");
}

/** Returns the system's code of a failed call, such as `ENOENT`; `undefined` if it has none. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
