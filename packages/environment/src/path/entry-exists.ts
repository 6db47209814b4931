import { EngineError } from "@switchyard/contracts";

/** Whether there is something at a path, by an environment's own `stat`. Rejects with what that rejects with otherwise. */
export async function entryExists(stat: () => Promise<unknown>): Promise<boolean> {
  try {
    await stat();
    return true;
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return false;
    if (EngineError.is(error, "environment.not_a_directory")) return false;
    throw error;
  }
}
