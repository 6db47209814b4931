import { join } from "node:path";
import { EngineError, messageOf, type RunRecord, type RunRequest, type SessionReport } from "@switchyard/contracts";
import { malformedRecord, parseRunRecord, parseRunRequest, parseSessionReport } from "../../codec/run-documents.ts";
import { readBytes } from "../disk/read-file.ts";
import { unreadableFrom } from "../disk/store-failure.ts";
import { RUN_FILES } from "./run-layout.ts";

/** A run and its folder. */
export interface RunLocation {
  readonly runId: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
}

async function readDocument(path: string): Promise<Buffer | undefined> {
  return await readBytes(path).catch((error: unknown) => {
    throw toProblem(error, path);
  });
}

async function readNeeded(path: string): Promise<Buffer> {
  const bytes = await readDocument(path);
  if (bytes === undefined) throw malformedRecord(path, "it is missing");
  return bytes;
}

/** Resolves with the record of a run. Rejects with `run.malformed_record`. */
export async function readRecord({ runId, folder }: RunLocation): Promise<RunRecord> {
  const path = join(folder, RUN_FILES.record);
  return await parseRunRecord(await readNeeded(path), { path, runId });
}

/** Resolves with the request of a run. Rejects with `run.malformed_record`. */
export async function readRequest({ runId, folder }: RunLocation): Promise<RunRequest> {
  const path = join(folder, RUN_FILES.request);
  return await parseRunRequest(await readNeeded(path), { path, runId });
}

/**
 * Resolves with the report of a run. `undefined` if its first attempt has not ended yet. Rejects with
 * `run.malformed_record`.
 */
export async function readReport({ runId, folder }: RunLocation): Promise<SessionReport | undefined> {
  const path = join(folder, RUN_FILES.report);
  const bytes = await readDocument(path);
  return bytes === undefined ? undefined : await parseSessionReport(bytes, { path, runId });
}

/**
 * Returns the error for a document that could not be read: `store.unreadable`, or `run.malformed_record` for invalid
 * content.
 */
export function toProblem(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  return unreadableFrom(error, path) ?? malformedRecord(path, messageOf(error), error);
}
