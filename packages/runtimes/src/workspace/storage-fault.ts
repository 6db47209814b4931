import { EngineError } from "@switchyard/contracts";

/** Error codes of disk faults, each with the operating system's message and the message for users. */
const FAULTS: readonly (readonly [code: string, saying: string, problem: string])[] = [
  ["ENOSPC", "No space left on device", "the disk is full"],
  ["EDQUOT", "Disk quota exceeded", "the share of the disk is used up"],
  ["EROFS", "Read-only file system", "the disk is read-only"],
  ["EIO", "Input/output error", "the disk does not answer"],
];

function toFault(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("run.store_failed", { path, problem }, { cause });
}

/** Returns the disk fault that a program's output reports; `undefined` if it reports none. */
export function storageFaultInOutput(output: string, path: string): EngineError | undefined {
  const found = FAULTS.find(([, saying]) => output.includes(saying));
  return found === undefined ? undefined : toFault(path, found[2]);
}

/**
 * Converts the error of a failed file operation to `run.store_failed` if the disk caused it. `undefined` for other
 * errors.
 */
function storageFaultOf(error: unknown, path: string): EngineError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const found = FAULTS.find(([code]) => code === error.code);
  return found === undefined ? undefined : toFault(path, found[2], error);
}

/**
 * Runs a function that writes below a folder. Converts an error to `run.store_failed` if the folder's disk caused it.
 */
export async function onDiskOf<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw storageFaultOf(error, folder) ?? error;
  }
}
