import { EngineError, messageOf } from "@switchyard/contracts";

/** A failed access to the run folder as the error that ends a run: `run.store_failed`. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error, "run.store_failed")) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}

/** The system's code of a failed call (`ENOENT`, …), where it has one. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
