import { type Checkpoint, EngineError, type Envelope, type RunWriter } from "@switchyard/contracts";
import { readNumber } from "../host/checkpointed-usage.ts";

/**
 * Summary of a run's earlier attempts, as recorded in the event log. It is available even if all checkpoints are lost.
 */
export interface RecordedWork {
  /** Number of events that record a saved checkpoint. */
  readonly checkpoints: number;
  /** Highest number of a saved checkpoint. 0 if the log records no checkpoint. */
  readonly newest: number;
  /** Number of events that record the start or the end of a tool call. */
  readonly toolCalls: number;
  /** Number of the latest attempt that published an event. 0 if there are no events. */
  readonly lastAttempt: number;
  /** Reason why events are missing or unreadable. `undefined` if the log is complete. */
  readonly problem?: string | undefined;
}

/** Initial value: no checkpoint, tool call or attempt is recorded. */
export const NO_WORK: RecordedWork = { checkpoints: 0, newest: 0, toolCalls: 0, lastAttempt: 0 };

/** Adds an event to the recorded work. */
export function addEvent(work: RecordedWork, { type, payload, attempt }: Envelope): RecordedWork {
  const isCall = type === "tool_call_start" || type === "tool_call_end";
  const isSaved = type === "checkpoint_saved";
  if (!isCall && !isSaved && attempt <= work.lastAttempt) return work;
  return {
    ...work,
    checkpoints: work.checkpoints + (isSaved ? 1 : 0),
    newest: isSaved ? Math.max(work.newest, readNumber(payload.number)) : work.newest,
    toolCalls: work.toolCalls + (isCall ? 1 : 0),
    lastAttempt: Math.max(work.lastAttempt, readNumber(attempt)),
  };
}

/**
 * Reads the event log of a run, and returns the work that the events record. Damaged events are skipped; the events
 * after them are included.
 */
export async function readRecordedWork(writer: Pick<RunWriter, "events">): Promise<RecordedWork> {
  let work = NO_WORK;
  try {
    for await (const envelope of writer.events()) work = addEvent(work, envelope);
  } catch (error) {
    if (!EngineError.is(error, "run.malformed_record")) throw error;
    return { ...work, problem: error.message };
  }
  return work;
}

/** Run fields that are needed to compare the newest checkpoint with the event log. */
export type ComparedRun = Pick<RunWriter, "runId" | "folder" | "checkpointsAt" | "record">;

/**
 * Compares the newest stored checkpoint with the event log and the record. The log records a checkpoint after the
 * checkpoint was stored and before the work that follows. If the newest stored checkpoint is older than the newest
 * recorded one, or missing, a checkpoint was lost, and resuming would silently repeat work. A checkpoint that is newer
 * than the log is valid: its process was killed between the two writes. Throws `checkpoint.lost`. See durability
 * promises D2, D4.
 */
export function assertCheckpointNotLost(
  { runId, folder, checkpointsAt: path = folder, record }: ComparedRun,
  checkpoint: Checkpoint | undefined,
  work: RecordedWork,
): void {
  const recorded = record.newest_checkpoint ?? 0;
  const [source, newest] =
    recorded > work.newest ? (["record", recorded] as const) : (["event log", work.newest] as const);
  const problem = problemOf(checkpoint, { ...work, newest, source });
  if (problem !== undefined) throw new EngineError("checkpoint.lost", { runId, path, problem });
}

function problemOf(
  checkpoint: Checkpoint | undefined,
  { checkpoints, newest, toolCalls, source }: RecordedWork & { source: string },
): string | undefined {
  const saved = `the run's ${source} says that checkpoint ${newest || checkpoints} was saved`;
  if (checkpoint !== undefined) {
    const { number = 0 } = checkpoint;
    if (number >= newest) return undefined;
    return `${saved}, but the newest stored checkpoint is ${number === 0 ? "older" : `number ${number}`}`;
  }
  if (newest > 0 || checkpoints > 0) return `${saved}, but no checkpoint is stored`;
  // An engine that saves checkpoints saves the first one before its first side effect.
  return toolCalls > 0 ? "the run's event log has tool calls, but no checkpoint is stored" : undefined;
}

/**
 * Returns whether events are missing: the log ends before the checkpoint that precedes the given checkpoint. The event
 * of the newest checkpoint itself may be missing, because it is logged after the checkpoint is stored. See durability
 * promise D8.
 */
export function lacksEvents({ number = 0 }: Checkpoint, { newest }: RecordedWork): boolean {
  return number > newest + 1;
}

/**
 * Adds the number of the checkpoint that the run resumes from. The log may lack it if the process died before logging
 * the checkpoint.
 */
export function withNewest(work: RecordedWork, number = 0): RecordedWork {
  // Earlier releases did not number checkpoints but recorded one event for each, so the events are counted too.
  return { ...work, newest: Math.max(work.newest, number, work.checkpoints) };
}
