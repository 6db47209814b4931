import { join } from "node:path";
import type { RunRecord } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import type { DocumentSource } from "../../codec/run-documents.ts";
import type { WatermarkOptions } from "../../watermark/run-watermark.ts";
import type { Broker } from "../broker/broker.ts";
import type { PartsLocation } from "../broker/message-parts.ts";

/** Settings and helpers that all parts of a NATS store use. */
export interface NatsContext {
  readonly broker: Broker;
  /** Prefix in the names of the store's subjects and streams. */
  readonly name: string;
  /** Absolute path of the folder for files of runs. */
  readonly filesDirectory: string;
  readonly owner: Owner;
  /** Time without a heartbeat after which a writer counts as dead, in milliseconds. */
  readonly leaseMs: number;
}

/** Subjects of a run. Each contains the run id as a word. */
export interface RunLocation extends DocumentSource {
  readonly stream: string;
  /** Subject of the message with the run's record and lease. Each new message replaces the previous one. */
  readonly meta: string;
  readonly events: string;
  readonly checkpoints: string;
  /**
   * Subjects for the large data of a run: documents, events and checkpoints. They are separate, so that the data of
   * each can be removed when it is no longer needed.
   */
  readonly documentParts: PartsLocation;
  readonly eventParts: PartsLocation;
  readonly checkpointParts: PartsLocation;
  /** Prefix of the subjects of the run's files. Each file has a separate subject. */
  readonly files: string;
  /** Location of the content of files that are too large for one message. */
  readonly fileParts: PartsLocation;
  /**
   * Prefix of the subjects of files that are stored before the run. They are separate, so that a process that removes
   * the data of an earlier run with the same id does not remove them.
   */
  readonly uploads: string;
  /** Location of the content of files that are stored before the run and are too large for one message. */
  readonly uploadParts: PartsLocation;
  /** Pattern that matches all subjects of the run except its record and the files that are stored before it. */
  readonly rest: string;
  /** Absolute path of the folder for files of the run. */
  readonly folder: string;
}

/** Returns the name of the stream that contains all runs. */
export function runStreamOf(name: string): string {
  return `${name}_runs`;
}

/** Returns the name of the stream that contains heartbeats. */
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
    files: `${base}.data.files`,
    fileParts: parts("files"),
    uploads: `${base}.upload.files`,
    uploadParts: { stream, subject: `${base}.upload.parts` },
    rest: `${base}.data.>`,
    folder: join(filesDirectory, runId),
  };
}

/**
 * Returns the path of a run's watermark, which records the run's progress. The watermark is stored with the run's files
 * instead of in the stream. This makes it possible to detect a stream that was restored from an older copy.
 */
export function watermarkOf({ folder, runId }: RunLocation, { created_at }: RunRecord): WatermarkOptions {
  // The creation time is compared too, because a new run on another machine may have the same id.
  return { path: join(folder, "watermark"), runId, createdAt: created_at };
}

/** Returns the pattern of the subjects of files that are stored before their run: of one run, or of all runs (`*`). */
export function uploadsOf({ name }: Pick<NatsContext, "name">, runId: string): string {
  return `${name}.run.${runId}.upload.>`;
}

/** Returns the run id in the subject of a run's data. */
export function runIdOf(subject: string): string {
  return subject.split(".")[2] ?? "";
}
