import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type Envelope, messageOf, type RunRecord, type SessionReport } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import { describeIssues } from "../input/parse-session-input.ts";
import { parseEventLine } from "./event-line.ts";
import { readLines } from "./read-lines.ts";
import { RUN_FILES, RUNS_FOLDER } from "./run-folder.ts";
import { systemCodeOf } from "./store-failure.ts";

/** Largest record or report that is read, in bytes. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
const FILES_AT_A_TIME = 64;

/** A run as it is listed: its record, or why that cannot be read. */
export type ListedRun =
  | { readonly runId: string; readonly folder: string; readonly record: RunRecord }
  | { readonly runId: string; readonly folder: string; readonly problem: EngineError };

/** Everything that is known about one run. */
export interface StoredRun {
  /** Id of the run. */
  readonly runId: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  /** Its record, where it can be read. */
  readonly record?: RunRecord | undefined;
  /** Its report; there is none before the run is over. */
  readonly report?: SessionReport | undefined;
  /** What is damaged, and how. */
  readonly problems: readonly EngineError[];
}

/** Reads the runs of a state folder; also while they are going on. */
export interface RunStore {
  /** All runs, the newest first; damaged ones with their problem. */
  list(): Promise<ListedRun[]>;
  /** One run. Rejects with `run.not_found` or `run.invalid_id`. */
  show(runId: string): Promise<StoredRun>;
  /**
   * The events that are stored by now, behind `afterSeq`. Damaged lines are passed over, and the first of them is
   * thrown as `run.malformed_record` when all others were given. Rejects with `run.not_found` or `run.invalid_id`.
   */
  events(runId: string, afterSeq?: number): AsyncGenerator<Envelope, void, undefined>;
}

/** Opens the runs of a state folder for reading; there are none when it does not exist. */
export function openRunStore(stateDirectory: string): RunStore {
  const runs = join(stateDirectory, RUNS_FOLDER);

  async function folderOf(runId: string): Promise<string> {
    assertRunId(runId);
    const folder = join(runs, runId);
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) throw new EngineError("run.not_found", { runId, stateDirectory });
    return folder;
  }
  return {
    list: () => listRuns(runs),
    show: async (runId) => showRun(runId, await folderOf(runId)),
    events: async function* (runId, afterSeq = 0) {
      yield* storedEvents(join(await folderOf(runId), RUN_FILES.events), afterSeq);
    },
  };
}

async function listRuns(runs: string): Promise<ListedRun[]> {
  const entries = await readdir(runs, { withFileTypes: true }).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw malformed(runs, error);
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const listed: DatedRun[] = [];
  for (let from = 0; from < names.length; from += FILES_AT_A_TIME) {
    const some = names.slice(from, from + FILES_AT_A_TIME);
    listed.push(...(await Promise.all(some.map((name) => listRun(name, join(runs, name))))));
  }
  return listed.sort((left, right) => compareTexts(right.date, left.date)).map(({ run }) => run);
}

/** A listed run with what it is sorted by. */
interface DatedRun {
  run: ListedRun;
  date: string;
}

async function listRun(runId: string, folder: string): Promise<DatedRun> {
  try {
    const record = await readRecord(folder, runId);
    return { run: { runId, folder, record }, date: `${record.created_at} ${runId}` };
  } catch (error) {
    const modified = await stat(folder).then(
      ({ mtime }) => mtime.toISOString(),
      () => "",
    );
    return {
      run: { runId, folder, problem: toProblem(error, join(folder, RUN_FILES.record)) },
      date: `${modified} ${runId}`,
    };
  }
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

async function showRun(runId: string, folder: string): Promise<StoredRun> {
  const problems: EngineError[] = [];
  const note = (file: string) => (error: unknown) => {
    problems.push(toProblem(error, join(folder, file)));
    return undefined;
  };
  const record = await readRecord(folder, runId).catch(note(RUN_FILES.record));
  const report = await readReport(folder).catch(note(RUN_FILES.report));
  return { runId, folder, record, report, problems };
}

async function readRecord(folder: string, runId: string): Promise<RunRecord> {
  const { runRecordSchema } = await import("@switchyard/contracts/schemas");
  const path = join(folder, RUN_FILES.record);
  const value = await readJson(path);
  if (value === undefined) throw malformed(path, "it is missing; the run was never accepted");
  const parsed = runRecordSchema.safeParse(value);
  if (!parsed.success) throw malformed(path, describeIssues(parsed.error.issues));
  if (parsed.data.run_id !== runId) throw malformed(path, `it is the record of the run ${parsed.data.run_id}`);
  return parsed.data;
}

async function readReport(folder: string): Promise<SessionReport | undefined> {
  const { sessionReportSchema } = await import("@switchyard/contracts/schemas");
  const path = join(folder, RUN_FILES.report);
  const value = await readJson(path);
  if (value === undefined) return undefined;
  const parsed = sessionReportSchema.safeParse(value);
  if (!parsed.success) throw malformed(path, describeIssues(parsed.error.issues));
  return parsed.data;
}

/** The content of a file; nothing when there is none. */
async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw malformed(path, error);
  }
}

async function readText(path: string): Promise<string | undefined> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw malformed(path, error);
  });
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw malformed(path, "it is no regular file");
    if (found.size > MAX_FILE_BYTES) throw malformed(path, `it has ${found.size} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function* storedEvents(path: string, afterSeq: number): AsyncGenerator<Envelope, void, undefined> {
  let damage: EngineError | undefined;
  let number = 0;
  try {
    for await (const line of readLines(path, { from: 0 })) {
      number++;
      const parsed = parseEventLine(line.text);
      if (parsed.kind === "event" && parsed.seq > afterSeq) yield parsed.envelope;
      if (parsed.kind === "damaged") damage ??= malformed(path, `line ${number}: ${parsed.problem}`);
    }
  } catch (error) {
    // A run that ended before its first event has no log.
    if (systemCodeOf(error) === "ENOENT") return;
    throw toProblem(error, path);
  }
  if (damage !== undefined) throw damage;
}

function toProblem(error: unknown, path: string): EngineError {
  return EngineError.is(error) ? error : malformed(path, error);
}

function malformed(path: string, reason: unknown): EngineError {
  return new EngineError(
    "run.malformed_record",
    { path, problem: messageOf(reason) },
    reason instanceof Error ? { cause: reason } : {},
  );
}
