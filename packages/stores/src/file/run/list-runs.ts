import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { EngineError, ListedRun, RunLease, StoredRun } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import { malformedRecord } from "../../codec/run-documents.ts";
import { assertSafeFolder } from "../disk/assert-safe-folder.ts";
import { systemCodeOf, toUnreadable } from "../disk/store-failure.ts";
import { findLease } from "../lease/lease-name.ts";
import { type RunLocation, readRecord, readReport, readRequest, toProblem } from "./read-documents.ts";
import { RUN_FILES } from "./run-layout.ts";
import { runFolder, type StoreContext } from "./store-context.ts";

/** Maximum number of runs that are read concurrently, to limit the number of open files. */
export const RUNS_AT_A_TIME = 64;

/** Returns true if a name is a valid run id. */
function isRunId(name: string): boolean {
  try {
    assertRunId(name);
    return true;
  } catch {
    return false;
  }
}

/** Resolves with the ids of all runs, including damaged ones. Rejects with `store.unreadable`. */
export async function listRunIds({ runs }: StoreContext): Promise<string[]> {
  try {
    const entries = await readdir(runs, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile() && isRunId(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw toUnreadable(error, runs);
  }
}

/** Resolves with the lease of a run. Rejects with `run.malformed_record` if the run has no lease. */
async function readLease({ owner }: StoreContext, folder: string): Promise<RunLease> {
  const lease = await findLease(folder);
  if (lease === undefined) throw malformedRecord(folder, "its lease folder is missing");
  return { epoch: lease.epoch, isHeld: lease.token !== undefined && owner.livenessOf(lease.token) !== "dead" };
}

async function modifiedMs(path: string): Promise<number> {
  return await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Resolves with the time of the last write in a run folder, in milliseconds since 1970; 0 if unknown. */
export async function lastWrittenMs(folder: string): Promise<number> {
  const names = [RUN_FILES.record, RUN_FILES.events, RUN_FILES.checkpoints, RUN_FILES.report];
  const written = Math.max(...(await Promise.all(names.map((name) => modifiedMs(join(folder, name))))));
  // The folder's own time is used only if the folder contains no files, because taking a lease changes it.
  return written === 0 ? await modifiedMs(folder) : written;
}

/** A listed run, with the creation date by which the list is sorted. */
interface DatedRun {
  readonly run: ListedRun;
  readonly date: string;
}

async function listRun(context: StoreContext, runId: string): Promise<DatedRun> {
  const location = join(context.runs, runId);
  try {
    const folder = await runFolder(context, runId);
    const [record, lease] = await Promise.all([readRecord({ runId, folder }), readLease(context, folder)]);
    return { run: { runId, location, record, lease }, date: `${record.created_at} ${runId}` };
  } catch (error) {
    const written = new Date(await lastWrittenMs(location)).toISOString();
    return { run: { runId, location, problem: toProblem(error, location) }, date: `${written} ${runId}` };
  }
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Resolves with all runs, newest first. Damaged runs are listed with their error. */
export async function listRuns(context: StoreContext): Promise<ListedRun[]> {
  await assertSafeFolder({ ...context, content: context.runs });
  const runIds = await listRunIds(context);
  const listed: DatedRun[] = [];
  for (let from = 0; from < runIds.length; from += RUNS_AT_A_TIME) {
    const some = runIds.slice(from, from + RUNS_AT_A_TIME);
    listed.push(...(await Promise.all(some.map((runId) => listRun(context, runId)))));
  }
  return listed.sort((left, right) => compareTexts(right.date, left.date)).map(({ run }) => run);
}

/** Resolves with the stored documents of one run. Damaged documents are reported as problems in the result. */
export async function showRun(context: StoreContext, location: RunLocation): Promise<StoredRun> {
  const problems: EngineError[] = [];
  const note = (error: unknown): undefined => {
    problems.push(toProblem(error, location.folder));
  };
  const record = await readRecord(location).catch(note);
  const request = await readRequest(location).catch(note);
  const report = await readReport(location).catch(note);
  const lease = await readLease(context, location.folder).catch(note);
  return { ...location, record, request, report, lease, problems };
}
