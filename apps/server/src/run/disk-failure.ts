import { EngineError, messageOf } from "@switchyard/contracts";

/** Converts a disk failure to `run.store_failed`. More specific errors are returned unchanged. */
export function toDiskFailure(cause: unknown, path: string): EngineError {
  if (EngineError.is(cause)) return cause;
  return new EngineError("run.store_failed", { path, problem: messageOf(cause) }, { cause });
}

/** Awaits an operation that writes to disk. If it fails, rejects with the error that `toDiskFailure` returns. */
export async function onDisk<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw toDiskFailure(cause, path);
  });
}
