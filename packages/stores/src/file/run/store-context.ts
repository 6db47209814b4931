import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import { malformedRecord } from "../../codec/run-documents.ts";
import type { StoreTimer } from "../../owner/store-timer.ts";
import type { WatermarkOptions } from "../../watermark/run-watermark.ts";
import { assertSafeFolder } from "../disk/assert-safe-folder.ts";
import { systemCodeOf, toStoreFailure } from "../disk/store-failure.ts";
import type { StoreFiles } from "../disk/store-files.ts";
import { WATERMARKS_FOLDER } from "./run-layout.ts";

/** Settings and helpers that all parts of a file store use. */
export interface StoreContext {
  /** Absolute path of the state folder. */
  readonly directory: string;
  /** Absolute path of the folder with the run folders. */
  readonly runs: string;
  readonly owner: Owner;
  readonly timer: StoreTimer;
  readonly files: StoreFiles;
  /** Time without a heartbeat after which a writer counts as dead, in milliseconds. */
  readonly leaseMs: number;
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Returns the path of a run's watermark, which records the progress of the run. */
export function watermarkOf({ directory }: StoreContext, runId: string): WatermarkOptions {
  return { path: join(directory, WATERMARKS_FOLDER, runId), runId };
}

/** Returns the folder of a run, which need not exist. Throws `run.invalid_id`. */
export function runPath({ runs }: StoreContext, runId: string): string {
  assertRunId(runId);
  return join(runs, runId);
}

/**
 * Resolves with the folder of an existing run. Rejects with `run.invalid_id`, `run.not_found` or
 * `run.malformed_record`.
 */
export async function runFolder(context: StoreContext, runId: string): Promise<string> {
  const path = runPath(context, runId);
  await assertSafeFolder({ ...context, content: context.runs });
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT" || systemCodeOf(error) === "ENOTDIR") return undefined;
    throw toStoreFailure(error, path);
  });
  if (found === undefined) throw new EngineError("run.not_found", { runId, stateDirectory: context.directory });
  if (!found.isDirectory()) throw malformedRecord(path, "it is not a folder");
  return path;
}
