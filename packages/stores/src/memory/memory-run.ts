import { EngineError, type Envelope, type RunRecord } from "@switchyard/contracts";
import { type DecodedCheckpoint, decodeCheckpoint } from "../codec/decode-checkpoint.ts";
import { parseEventLine } from "../codec/event-line.ts";
import { malformedRecord, parseRunRecord } from "../codec/run-documents.ts";

/** A run in memory. Data is stored as text, so that callers cannot change it. */
export interface MemoryRun {
  readonly runId: string;
  /** Path of the folder for files of the run. */
  readonly folder: string;
  /** Record of the run, as JSON text with checksum. */
  record: string;
  readonly request: string;
  report: string | undefined;
  /** Events of the run, as log lines with checksum. */
  readonly events: string[];
  checkpoints: Uint8Array[];
  epoch: number;
  /** True while the current writer of the run is active. */
  isHeld: boolean;
  /** Time of the last write, in milliseconds since 1970. */
  writtenMs: number;
  /** Function that is called when another writer takes over the run. */
  onLost: () => void;
}

/** Resolves with the record of a run. */
export function recordOf({ record, runId }: MemoryRun): Promise<RunRecord> {
  return parseRunRecord(record, { runId, path: `memory:${runId}/run.json` });
}

/** Resolves with the newest checkpoint of a run; `undefined` if none was ever saved. */
export async function checkpointOf({ checkpoints, runId }: MemoryRun): Promise<DecodedCheckpoint | undefined> {
  if (checkpoints.length === 0) return undefined;
  return await decodeCheckpoint(checkpoints, { runId, path: `memory:${runId}/checkpoints` });
}

/** Streams the stored events of a run after `afterSeq`. */
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

/**
 * Throws `store.stale_epoch` if a newer writer has taken over the run, so that a writer of the given epoch must not
 * write.
 */
export function assertEpoch(run: MemoryRun, epoch: number): void {
  if (!run.isHeld || run.epoch !== epoch) throw new EngineError("store.stale_epoch", { runId: run.runId, epoch });
}
