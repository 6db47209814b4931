import { EngineError, messageOf } from "@switchyard/contracts";

/** What the disk refused, as the error that says so: `run.store_failed`. One that is told apart already stays. */
export function toDiskFailure(cause: unknown, path: string): EngineError {
  if (EngineError.is(cause)) return cause;
  return new EngineError("run.store_failed", { path, problem: messageOf(cause) }, { cause });
}

/** Resolves as the work does, and rejects with what `toDiskFailure` makes of its failure. */
export async function onDisk<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw toDiskFailure(cause, path);
  });
}
