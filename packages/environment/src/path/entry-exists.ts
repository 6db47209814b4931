import { EngineError } from "@switchyard/contracts";

/**
 * Resolves with whether a path exists, using an environment's `stat`. Rejects with any error of `stat` other than "not
 * found".
 */
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
