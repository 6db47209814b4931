import { EngineError, messageOf } from "@switchyard/contracts";

/** The system's code of a failed call (`ENOENT`, …), where it has one. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A failed access to the files of a run as the error that ends it: `run.store_failed`. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}
