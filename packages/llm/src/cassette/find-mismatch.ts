import { EngineError } from "@switchyard/contracts";

/** Replay that compares requests with a recording. */
export interface ComparedReplay {
  /** Throws `cassette.*` if a request differed from the recording, or if recorded calls were not requested. */
  assertFinished(): void;
}

/**
 * Returns the first difference between the requests of a finished replay and its recording. `undefined` if there is
 * none.
 */
export function findMismatch(replay: ComparedReplay): EngineError | undefined {
  try {
    replay.assertFinished();
    return undefined;
  } catch (error) {
    if (EngineError.is(error)) return error;
    throw error;
  }
}
