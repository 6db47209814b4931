import { EngineError, messageOf } from "@switchyard/contracts";

/** A failed write as the error that ends a run: the store's own, else `run.store_failed`. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}

/** Whether an error says that another writer has the run: nothing more may be written then. D6. */
export function isStale(error: unknown): error is EngineError {
  return EngineError.is(error, "store.stale_epoch");
}

/** The system's code of a failed call (`ENOENT`, …), where it has one. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
