import { join } from "node:path";
import type { RunRecord } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import type { DocumentSource } from "../../codec/run-documents.ts";
import type { WatermarkOptions } from "../../watermark/run-watermark.ts";
import type { Broker } from "../broker/broker.ts";
import type { PartsLocation } from "../broker/message-parts.ts";

/** Common settings of a store of runs on a broker. */
export interface NatsContext {
  readonly broker: Broker;
  /** Prefix of its subjects and streams. */
  readonly name: string;
  /** Absolute path of the folder for files of runs. */
  readonly filesDirectory: string;
  readonly owner: Owner;
  /** Time without a heartbeat after which a writer counts as dead, in milliseconds. */
  readonly leaseMs: number;
}

/** Subjects of a run. Its id is a word of each. */
export interface RunLocation extends DocumentSource {
  readonly stream: string;
  /** Subject of record and lease; each message replaces the previous one. */
  readonly meta: string;
  readonly events: string;
  readonly checkpoints: string;
  /**
   * Subjects of large documents, events and checkpoints. They are separate, so that each can be removed when it is not
   * needed.
   */
  readonly documentParts: PartsLocation;
  readonly eventParts: PartsLocation;
  readonly checkpointParts: PartsLocation;
  /** Pattern of everything except the record. */
  readonly rest: string;
  /** Absolute path of the folder for its files. */
  readonly folder: string;
}

/** Returns the stream of all runs. */
export function runStreamOf(name: string): string {
  return `${name}_runs`;
}

/** Returns the stream that carries heartbeats. */
export function heartbeatStreamOf(name: string): string {
  return `${name}_beats`;
}

/** Returns the subjects of a run. Throws `run.invalid_id`. */
export function locationOf({ name, broker, filesDirectory }: NatsContext, runId: string): RunLocation {
  assertRunId(runId);
  const stream = runStreamOf(name);
  const base = `${name}.run.${runId}`;
  const parts = (kind: string): PartsLocation => ({ stream, subject: `${base}.data.parts.${kind}` });
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

/**
 * Returns the location of a run's watermark. It is stored with the run's files, to detect a stream that was restored
 * from an older copy.
 */
export function watermarkOf({ folder, runId }: RunLocation, { created_at }: RunRecord): WatermarkOptions {
  // Another machine may have deleted the run and created one of the same id.
  return { path: join(folder, "watermark"), runId, createdAt: created_at };
}

/** Returns the run id in a record subject. */
export function runIdOf(subject: string): string {
  return subject.split(".")[2] ?? "";
}
