import { EngineError, messageOf } from "@switchyard/contracts";

/** Converts a failed write to `run.store_failed`. Returns an `EngineError` unchanged. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}

/** Returns the system error code of a failed call, such as `ENOENT`; `undefined` if the error has none. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
