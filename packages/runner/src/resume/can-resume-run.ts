import { type Engine, EngineError, type RunWriter } from "@switchyard/contracts";
import { asResumer, capabilitiesOf } from "@switchyard/engine";
import { assertCheckpointNotLost, type RecordedWork, readRecordedWork } from "./recorded-work.ts";

/** Whether a run was accepted and no more: nothing has been opened for it, nothing has been told of it. */
export function hasNotStarted({ record, lastSeq }: Pick<RunWriter, "record" | "lastSeq">): boolean {
  return record.environment === undefined && lastSeq === 0;
}

/**
 * Whether an attempt could follow: nothing has happened yet, the engine can go on from the checkpoint, or it makes one
 * before its first effect. Rejects with what the engine refuses the checkpoint with, and with `checkpoint.*` where it
 * cannot be told or is lost. `known` is what the caller knows of the run's work; by default its event log is read.
 */
export async function canResumeRun(writer: RunWriter, engine: Engine, known?: RecordedWork): Promise<boolean> {
  // First: an engine that was given up may still save one.
  const work = known ?? (await readRecordedWork(writer));
  const checkpoint = await writer.load();
  if (hasNotStarted(writer) && checkpoint === undefined) return true;
  assertCheckpointNotLost(writer, checkpoint, work);
  if (checkpoint === undefined) return capabilitiesOf(engine).emitsCheckpoint === true;
  asResumer(engine)?.canResume(checkpoint);
  return true;
}

/** Why a run cannot be gone on with that nothing is known of but its beginning. */
export function notResumableError(runId: string, engineName: string): EngineError {
  const problem = `it has no checkpoint, and the engine ${engineName} may have done something already`;
  return new EngineError("run.not_resumable", { runId, problem });
}
