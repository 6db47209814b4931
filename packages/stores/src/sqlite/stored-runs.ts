import { setImmediate as nextTurn } from "node:timers/promises";
import { type EngineError, type ListedRun, type StoredRun, toEngineError } from "@switchyard/contracts";
import { malformedRecord, parseRunRecord, parseRunRequest, parseSessionReport } from "../codec/run-documents.ts";
import { findRun, folderOf, leaseOf, type RunRow, type SqliteContext, sourceOf, toRunRow } from "./sqlite-context.ts";

const RUNS_AT_A_TIME = 200;

/**
 * Yields the database rows of all runs, newest first, and lets the event loop run between them. Rejects with
 * `store.malformed`.
 */
export async function* runRows(context: SqliteContext): AsyncGenerator<RunRow[], void, undefined> {
  const { database } = context;
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const before = below;
    const rows = await database.read((get) => get("runsBelow").all([before, RUNS_AT_A_TIME]));
    const found = rows.map((row) => toRunRow(row, database.path));
    yield found;
    const last = found.at(-1);
    if (last === undefined || found.length < RUNS_AT_A_TIME) return;
    below = last.key;
    await nextTurn();
  }
}

/** Resolves with all runs, newest first. Rejects with `store.malformed`. */
export async function listRuns(context: SqliteContext): Promise<ListedRun[]> {
  const listed: { run: ListedRun; date: string }[] = [];
  for await (const rows of runRows(context)) {
    listed.push(...(await Promise.all(rows.map((row) => listRun(context, row)))));
  }
  return listed.sort((left, right) => compareTexts(right.date, left.date)).map(({ run }) => run);
}

async function listRun(context: SqliteContext, row: RunRow): Promise<{ run: ListedRun; date: string }> {
  const { runId } = row;
  const source = sourceOf(context, runId);
  try {
    const record = await parseRunRecord(row.record, source);
    const run = { runId, location: source.path, record, lease: leaseOf(context, row) };
    return { run, date: `${record.created_at} ${runId}` };
  } catch (error) {
    const date = `${new Date(row.activeAt).toISOString()} ${runId}`;
    return { run: { runId, location: source.path, problem: toEngineError(error) }, date };
  }
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Resolves with one run and its documents. Rejects with `run.not_found` or `run.invalid_id`. */
export async function showRun(context: SqliteContext, runId: string): Promise<StoredRun> {
  const row = await findRun(context, runId);
  const source = sourceOf(context, runId);
  const problems: EngineError[] = [];
  const note = (error: unknown): undefined => {
    problems.push(toEngineError(error));
  };
  const bodyOf = async (kind: string): Promise<Uint8Array | undefined> => {
    const [body] = (await context.database.read((get) => get("document").get([row.key, kind]))) ?? [];
    return body instanceof Uint8Array ? body : undefined;
  };
  const [requestBody, reportBody] = [await bodyOf("request"), await bodyOf("report")];
  if (requestBody === undefined) note(malformedRecord(source.path, "its request is missing"));
  return {
    runId,
    folder: folderOf(context, runId),
    record: await parseRunRecord(row.record, source).catch(note),
    request: requestBody && (await parseRunRequest(requestBody, source).catch(note)),
    report: reportBody && (await parseSessionReport(reportBody, source).catch(note)),
    lease: leaseOf(context, row),
    problems,
  };
}
