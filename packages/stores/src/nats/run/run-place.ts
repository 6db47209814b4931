import { join } from "node:path";
import type { RunRecord } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import type { DocumentSource } from "../../codec/run-documents.ts";
import type { WatermarkOptions } from "../../watermark/run-watermark.ts";
import type { Broker } from "../broker/broker.ts";
import type { PartsPlace } from "../broker/message-parts.ts";

/** What everything in a store of runs on a broker needs. */
export interface NatsContext {
  readonly broker: Broker;
  /** First word of its subjects and streams. */
  readonly name: string;
  /** Absolute path of the folder with the runs' files. */
  readonly filesDirectory: string;
  readonly owner: Owner;
  /** Milliseconds without a sign of life after which a writer counts as gone. */
  readonly leaseMs: number;
}

/** Where a run is kept. Its id is a word of each subject. */
export interface RunPlace extends DocumentSource {
  readonly stream: string;
  /** Record and lease: each message takes the place of the one before. */
  readonly meta: string;
  readonly events: string;
  readonly checkpoints: string;
  /** Large documents, events and checkpoints, apart so that each goes when it is not needed. */
  readonly documentParts: PartsPlace;
  readonly eventParts: PartsPlace;
  readonly checkpointParts: PartsPlace;
  /** Everything but the record. */
  readonly rest: string;
  /** Absolute path of the folder for its files. */
  readonly folder: string;
}

/** Stream of all runs. */
export function runStreamOf(name: string): string {
  return `${name}_runs`;
}

/** Stream of the signs of life. */
export function beatStreamOf(name: string): string {
  return `${name}_beats`;
}

/** Where a run is kept. Throws `run.invalid_id`. */
export function placeOf({ name, broker, filesDirectory }: NatsContext, runId: string): RunPlace {
  assertRunId(runId);
  const stream = runStreamOf(name);
  const base = `${name}.run.${runId}`;
  const parts = (kind: string): PartsPlace => ({ stream, subject: `${base}.data.parts.${kind}` });
  return {
    runId,
    path: `${broker.address} (run ${runId} of ${name})`,
    stream,
    meta: `${base}.meta`,
    events: `${base}.data.events`,
    checkpoints: `${base}.data.checkpoints`,
    documentParts: parts("documents"),
    eventParts: parts("events"),
    checkpointParts: parts("checkpoints"),
    rest: `${base}.data.>`,
    folder: join(filesDirectory, runId),
  };
}

/** Where the watermark of a run is stored: with its files, so that a stream that was restored from an older copy shows. */
export function watermarkOf({ folder, runId }: RunPlace, { created_at }: RunRecord): WatermarkOptions {
  // Another machine may have deleted the run, and created one of the same id.
  return { path: join(folder, "watermark"), runId, createdAt: created_at };
}

/** The run of a subject of records. */
export function runIdOf(subject: string): string {
  return subject.split(".")[2] ?? "";
}
