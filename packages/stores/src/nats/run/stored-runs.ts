import { type EngineError, type ListedRun, type RunRecord, type StoredRun, toEngineError } from "@switchyard/contracts";
import { readMessages } from "../broker/read-messages.ts";
import { HEADERS, numberIn } from "../broker/stored-message.ts";
import { type ReadDocuments, readDocuments } from "./run-document.ts";
import { locationOf, type NatsContext, runIdOf, runStreamOf } from "./run-location.ts";
import {
  findMeta,
  leaseOf,
  parseRecord,
  parseReport,
  parseRequest,
  type RunMeta,
  recordOf,
  toMeta,
} from "./run-meta.ts";

/** Yields the record and lease of each run, including deleted runs. */
export async function allMeta({ broker, name }: NatsContext): Promise<Map<string, RunMeta>> {
  const found = new Map<string, RunMeta>();
  const reading = { stream: runStreamOf(name), subject: `${name}.run.*.meta`, isLastOnly: true };
  for await (const message of readMessages(broker, reading)) found.set(runIdOf(message.subject), toMeta(message));
  return found;
}

/** Resolves with the size of the stored data of each run, in bytes: record, events, checkpoints and files. */
export async function runSizes({ broker, name }: NatsContext): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const reading = { stream: runStreamOf(name), subject: `${name}.run.>`, isHeadersOnly: true };
  for await (const message of readMessages(broker, reading)) {
    const runId = runIdOf(message.subject);
    sizes.set(runId, (sizes.get(runId) ?? 0) + Math.max(message.data.length, numberIn(message, HEADERS.size)));
  }
  return sizes;
}

/** Resolves with all runs, newest first. */
export async function listRuns(context: NatsContext): Promise<ListedRun[]> {
  const listed: { run: ListedRun; date: string }[] = [];
  for (const [runId, meta] of await allMeta(context)) {
    if (!meta.isDeleted) listed.push(await listRun(context, runId, meta));
  }
  return listed.sort((left, right) => compareTexts(right.date, left.date)).map(({ run }) => run);
}

async function listRun(context: NatsContext, runId: string, meta: RunMeta): Promise<{ run: ListedRun; date: string }> {
  const location = locationOf(context, runId);
  try {
    const record: RunRecord = await recordOf(context, location, meta);
    const run = { runId, location: location.path, record, lease: leaseOf(context, meta) };
    return { run, date: `${record.created_at} ${runId}` };
  } catch (error) {
    const date = `${new Date(meta.message.storedAt).toISOString()} ${runId}`;
    return { run: { runId, location: location.path, problem: toEngineError(error) }, date };
  }
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A run as it was read, and the message that it was read from. */
export interface ShownRun {
  readonly run: StoredRun;
  readonly meta: RunMeta;
  /** Request and report in the form in which they are stored. */
  readonly stored: ReadDocuments["stored"];
}

/** Resolves with one run and its documents. Rejects with `run.not_found` or `run.invalid_id`. */
export async function showRun(context: NatsContext, runId: string): Promise<ShownRun> {
  const location = locationOf(context, runId);
  const meta = await findMeta(context, location);
  const read = await readDocuments(context.broker, location, meta);
  const problems: EngineError[] = [];
  const note = (error: unknown): undefined => {
    problems.push(toEngineError(error));
  };
  const run = {
    runId,
    folder: location.folder,
    record: await parseRecord(read, location).catch(note),
    request: await parseRequest(read, location).catch(note),
    report: await parseReport(read, location).catch(note),
    lease: leaseOf(context, meta),
    problems,
  };
  return { run, meta, stored: read.stored };
}
