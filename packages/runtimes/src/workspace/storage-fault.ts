import { EngineError } from "@switchyard/contracts";

/** Codes of a disk that takes nothing, what the system says of it, and our words for it. */
const FAULTS: readonly (readonly [code: string, saying: string, problem: string])[] = [
  ["ENOSPC", "No space left on device", "the disk is full"],
  ["EDQUOT", "Disk quota exceeded", "the share of the disk is used up"],
  ["EROFS", "Read-only file system", "the disk is read-only"],
  ["EIO", "Input/output error", "the disk does not answer"],
];

function toFault(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("run.store_failed", { path, problem }, { cause });
}

/** The fault of a disk that a program told in the words of the system. */
export function storageFaultSaid(said: string, path: string): EngineError | undefined {
  const found = FAULTS.find(([, saying]) => said.includes(saying));
  return found === undefined ? undefined : toFault(path, found[2]);
}

/** The fault of a disk that an error of a file operation is. */
function storageFaultOf(error: unknown, path: string): EngineError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const found = FAULTS.find(([code]) => code === error.code);
  return found === undefined ? undefined : toFault(path, found[2], error);
}

/** Does something that writes below a folder; a fault of its disk is thrown as that. */
export async function onDiskOf<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw storageFaultOf(error, folder) ?? error;
  }
}
