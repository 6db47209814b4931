import { EngineError, type Envelope, type RunRecord } from "@switchyard/contracts";
import { type DecodedCheckpoint, decodeCheckpoint } from "../codec/decode-checkpoint.ts";
import { parseEventLine } from "../codec/event-line.ts";
import { malformedRecord, parseRunRecord } from "../codec/run-documents.ts";

/** A run as it is kept in memory: as text, so that nobody shares it. */
export interface MemoryRun {
  readonly runId: string;
  /** Path of the folder for the run's files. */
  readonly folder: string;
  /** Sealed documents. */
  record: string;
  readonly request: string;
  report: string | undefined;
  /** Sealed lines. */
  readonly events: string[];
  checkpoints: Uint8Array[];
  epoch: number;
  /** Whether the writer of this epoch is at work. */
  isHeld: boolean;
  /** When it was written to last, in milliseconds since 1970. */
  writtenMs: number;
  /** Is told when the writer of this epoch loses the run. */
  onLost: () => void;
}

/** The record of a run. */
export function recordOf({ record, runId }: MemoryRun): Promise<RunRecord> {
  return parseRunRecord(record, { runId, path: `memory:${runId}/run.json` });
}

/** The newest checkpoint of a run; nothing when none was ever saved. */
export async function checkpointOf({ checkpoints, runId }: MemoryRun): Promise<DecodedCheckpoint | undefined> {
  if (checkpoints.length === 0) return undefined;
  return await decodeCheckpoint(checkpoints, { runId, path: `memory:${runId}/checkpoints` });
}

/** The events of a run that are kept by now, behind `afterSeq`. */
export async function* eventsOf(
  { events, runId }: MemoryRun,
  afterSeq: number,
): AsyncGenerator<Envelope, void, undefined> {
  for (const line of events.slice(afterSeq)) {
    const parsed = parseEventLine(line, runId);
    if (parsed.kind === "damaged") throw malformedRecord(`memory:${runId}/events.jsonl`, parsed.problem);
    if (parsed.kind === "event") yield parsed.envelope;
  }
}

/** The run when a writer of this epoch may write to it. Throws `store.stale_epoch`. */
export function assertEpoch(run: MemoryRun, epoch: number): void {
  if (!run.isHeld || run.epoch !== epoch) throw new EngineError("store.stale_epoch", { runId: run.runId, epoch });
}
