import { mkdir } from "node:fs/promises";
import {
  EngineError,
  type EventText,
  type RunRecord,
  type RunRequest,
  type RunWriter,
  type SessionReport,
} from "@switchyard/contracts";
import { createSerial } from "../codec/create-serial.ts";
import { eventLine, problemOfEvent } from "../codec/event-line.ts";
import { malformedRecord, parseRunRecord, parseRunRequest } from "../codec/run-documents.ts";
import { sealDocument } from "../codec/sealed-text.ts";
import { createCheckpointLog, readCheckpoint } from "./checkpoint-log.ts";
import type { HeldLease } from "./lease-keeper.ts";
import { findRun, folderOf, type SqliteContext, sourceOf } from "./sqlite-context.ts";
import { toWriteFailure } from "./sqlite-failure.ts";
import type { Writes } from "./statements.ts";
import { storedEvents } from "./stored-events.ts";

const FOLDER_MODE = 0o700;

/** What a writer finds when it begins. */
interface WriterState {
  record: RunRecord;
  readonly request: RunRequest;
  lastSeq: number;
}

/** Makes the folder for a run's files. Rejects with `run.store_failed`. */
export async function makeFolder(context: SqliteContext, runId: string): Promise<void> {
  const folder = folderOf(context, runId);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
    throw toWriteFailure(error, folder);
  });
}

/** A document as it is kept. */
export function sealed(document: object): Uint8Array {
  return Buffer.from(sealDocument(document));
}

/** The writer of a run that was just taken over. Rejects with `run.malformed_record`. */
export async function resumeRunWriter(context: SqliteContext, lease: HeldLease): Promise<RunWriter> {
  const { database } = context;
  const source = sourceOf(context, lease.runId);
  const record = await parseRunRecord((await findRun(context, lease.runId)).record, source);
  const [body] = (await database.read((get) => get("document").get([lease.key, "request"]))) ?? [];
  if (!(body instanceof Uint8Array)) throw malformedRecord(source.path, "its request is missing");
  const request = await parseRunRequest(body, source);
  const [lastSeq] = (await database.read((get) => get("lastSeq").get([lease.key]))) ?? [];
  await makeFolder(context, lease.runId);
  return openRunWriter(context, lease, { record, request, lastSeq: typeof lastSeq === "number" ? lastSeq : 0 });
}

/** The one who writes to a run, as long as the lease is held. */
export function openRunWriter(context: SqliteContext, lease: HeldLease, state: WriterState): RunWriter {
  const { database } = context;
  const { key, runId } = lease;
  const source = sourceOf(context, runId);
  const claim = (run: Writes): number => {
    lease.check(run);
    return key;
  };
  const checkpoints = createCheckpointLog(database, { ...source, claim });
  const [eventsInTurn, recordsInTurn] = [createSerial(), createSerial()];

  async function append(events: readonly EventText[]): Promise<void> {
    let last = state.lastSeq;
    for (const event of events) {
      const problem = problemOfEvent(event, last);
      if (problem !== undefined) throw new EngineError("run.store_failed", { path: source.path, problem });
      last = event.seq;
    }
    const lines = Buffer.from(events.map(eventLine).join(""));
    await database.write((run) => {
      lease.check(run);
      if (events.length > 0) run("addEvents").run([key, last, lines]);
    }, "process");
    state.lastSeq = last;
  }

  /** Keeps changes of the record together with what else is to be kept with them. */
  async function change(changes: Partial<RunRecord>, also: (run: Writes) => void): Promise<void> {
    const record = { ...state.record, ...changes };
    const body = sealed(record);
    await database.write((run) => {
      lease.check(run);
      also(run);
      run("setRecord").run([key, body]);
    }, "power");
    state.record = record;
  }

  async function finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    const body = sealed(report);
    await change(changes, (run) => {
      run("putDocument").run([key, "report", body]);
      lease.giveBack(run);
    });
    lease.forget();
  }

  return {
    runId,
    epoch: lease.epoch,
    folder: folderOf(context, runId),
    get record() {
      return state.record;
    },
    request: state.request,
    get lastSeq() {
      return state.lastSeq;
    },
    signal: lease.signal,
    append: (events) => eventsInTurn(() => append(events)),
    events: (afterSeq = 0) => storedEvents(database, { key, path: source.path, afterSeq }),
    save: checkpoints.save,
    load: async () => {
      const stored = await readCheckpoint(database, { ...source, key });
      if (stored !== undefined) checkpoints.continueFrom(stored);
      return stored?.checkpoint;
    },
    update: (changes) => recordsInTurn(() => change(changes, () => undefined)),
    finish: (report, changes) => recordsInTurn(() => finish(report, changes)),
    release: () => recordsInTurn(lease.release),
  };
}
