import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError, type RunRecord, type SessionReport } from "@switchyard/contracts";
import { type AppendFile, createAppendFile } from "./append-file.ts";
import { FOLDER_MODE, replaceFile, syncFolder } from "./durable-file.ts";
import { systemCodeOf, toStoreFailure } from "./store-failure.ts";

/** Names of what lies in a run folder. architecture: files of a run. */
export const RUN_FILES = {
  record: "run.json",
  events: "events.jsonl",
  recording: "recording.jsonl",
  artifacts: "artifacts",
  report: "report.json",
} as const;

/** Folder of the run folders below the state folder. */
export const RUNS_FOLDER = "runs";

/** The folder of one run, in the hands of its writer. */
export interface RunFolder {
  /** Absolute path. */
  readonly path: string;
  /** Absolute path of something in it. */
  file(name: keyof typeof RUN_FILES): string;
  /** Replaces `run.json`. Contract: one call at a time. Throws `run.store_failed`. */
  writeRecord(record: RunRecord, options: { durable: boolean }): Promise<void>;
  /** Writes `report.json`, durably. Throws `run.store_failed`. */
  writeReport(report: SessionReport): Promise<void>;
}

/** A run that has just been accepted. */
export interface AcceptedRun {
  /** Its folder. */
  folder: RunFolder;
  /** Its event log, empty. */
  events: AppendFile;
}

/**
 * Makes the folder of a new run with its record and an empty event log. When it resolves, the run is listed after
 * any crash (D1). Throws `run.conflict` when the run exists, `run.store_failed` when it cannot be stored.
 */
export async function createRunFolder(stateDirectory: string, record: RunRecord): Promise<AcceptedRun> {
  const runs = join(stateDirectory, RUNS_FOLDER);
  const path = join(runs, record.run_id);
  const firstMade = await mkdir(runs, { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
    throw toStoreFailure(error, runs);
  });
  await mkdir(path, { mode: FOLDER_MODE }).catch((error: unknown) => {
    if (systemCodeOf(error) === "EEXIST")
      throw new EngineError("run.conflict", { runId: record.run_id }, { cause: error });
    throw toStoreFailure(error, path);
  });
  const folder = folderAt(path);
  try {
    const events = await createAppendFile(folder.file("events"));
    await folder.writeRecord(record, { durable: true });
    await syncParents(runs, firstMade === undefined ? runs : dirname(firstMade));
    return { folder, events };
  } catch (error) {
    // The run was not accepted, so its id stays free.
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

function folderAt(path: string): RunFolder {
  const file = (name: keyof typeof RUN_FILES): string => join(path, RUN_FILES[name]);
  return {
    path,
    file,
    writeRecord: (record, options) => replaceFile(file("record"), toJson(record), options),
    writeReport: (report) => replaceFile(file("report"), toJson(report), { durable: true }),
  };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A new folder is only there after a power failure when the folder it lies in was written as well. */
async function syncParents(from: string, last: string): Promise<void> {
  for (let path = from; ; path = dirname(path)) {
    await syncFolder(path).catch((error: unknown) => {
      throw toStoreFailure(error, path);
    });
    if (path === last || path === dirname(path)) return;
  }
}
