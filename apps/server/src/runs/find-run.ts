import { EngineError, type RunRecord, type RunStore, type StoredRun } from "@switchyard/contracts";
import { type Caller, maySee } from "../guard/caller.ts";

/** Run that the caller may access. */
export interface FoundRun {
  /** All stored data of the run. */
  readonly stored: StoredRun;
  /** Its record. */
  readonly record: RunRecord;
}

/**
 * Finds a run that the caller may access. Rejects with `server.unknown_run` for a missing run and for a run of another
 * owner alike, so that ids are not revealed.
 */
export async function findRun(store: RunStore, caller: Caller, runId: string): Promise<FoundRun> {
  const stored = await store.show(runId).catch((error: unknown) => {
    if (EngineError.is(error, "run.not_found") || EngineError.is(error, "run.invalid_id")) return undefined;
    throw error;
  });
  const record = stored?.record;
  if (stored === undefined || record === undefined || !maySee(caller, record.owner)) {
    throw new EngineError("server.unknown_run", { runId: runId.slice(0, 128) });
  }
  return { stored, record };
}
