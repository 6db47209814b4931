import { type Engine, EngineError, type RunWriter } from "@switchyard/contracts";
import { asResumer, capabilitiesOf } from "@switchyard/engine";
import { assertCheckpointNotLost, type RecordedWork, readRecordedWork } from "./recorded-work.ts";

/** Whether a run has only been queued: its environment and engine were never opened, and it has no events. */
export function hasNotStarted({ record, lastSeq }: Pick<RunWriter, "record" | "lastSeq">): boolean {
  return record.environment === undefined && lastSeq === 0;
}

/**
 * Resolves with whether another attempt of the run is possible. It is possible if the run has not started, if the
 * engine can resume from the checkpoint, or if the engine saves a checkpoint before its first side effect. If the
 * engine rejects the checkpoint, rejects with the engine's error. Rejects with `checkpoint.*` if a checkpoint is
 * unreadable or lost. `known` is the recorded work of the run. Default: it is read from the event log.
 */
export async function canResumeRun(writer: RunWriter, engine: Engine, known?: RecordedWork): Promise<boolean> {
  // The event log is read before the checkpoint. If an abandoned engine saves another checkpoint between the two reads,
  // the checkpoint is then newer than the log, which is valid. In the other order, the checkpoint would seem lost.
  const work = known ?? (await readRecordedWork(writer));
  const checkpoint = await writer.load();
  if (hasNotStarted(writer) && checkpoint === undefined) return true;
  assertCheckpointNotLost(writer, checkpoint, work);
  if (checkpoint === undefined) return capabilitiesOf(engine).emitsCheckpoint === true;
  asResumer(engine)?.canResume(checkpoint);
  return true;
}

/** Returns the error of a run that cannot resume: it has no checkpoint, and its engine may have had side effects. */
export function notResumableError(runId: string, engineName: string): EngineError {
  const problem = `it has no checkpoint, and the engine ${engineName} may have done something already`;
  return new EngineError("run.not_resumable", { runId, problem });
}
